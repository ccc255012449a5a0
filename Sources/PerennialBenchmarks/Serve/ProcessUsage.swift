import Foundation

/// What another process has used so far, as Linux tells it under `/proc`.
struct ProcessUsage {
    /// CPU time of all its threads, in user space and in the kernel.
    let cpuSeconds: Double
    /// The most memory that it had in RAM.
    let peakResidentBytes: Int64

    /// What several have used together.
    ///
    /// - Throws: `BenchmarkError.noUsage` where the system does not tell.
    init(of processIDs: [Int32]) throws(BenchmarkError) {
        var (cpuSeconds, peakResidentBytes) = (0.0, Int64(0))
        for processID in processIDs {
            let usage = try ProcessUsage(of: processID)
            cpuSeconds += usage.cpuSeconds
            peakResidentBytes += usage.peakResidentBytes
        }
        self.cpuSeconds = cpuSeconds
        self.peakResidentBytes = peakResidentBytes
    }

    /// Reads it.
    ///
    /// - Throws: `BenchmarkError.noUsage` where the system does not tell.
    init(of processID: Int32) throws(BenchmarkError) {
        // After the name, which is in parentheses and may hold anything: state is the third field, the CPU times, in
        // ticks of a hundredth of a second, the fourteenth and fifteenth (proc(5)).
        let stat = try Self.text(of: "/proc/\(processID)/stat")
        let fields = stat[(stat.lastIndex(of: ")") ?? stat.startIndex)...].split(separator: " ")
        guard fields.count > 12, let user = Int64(fields[12]), let kernel = Int64(fields[11]) else { throw .noUsage }
        cpuSeconds = Double(user + kernel) / 100
        let status = try Self.text(of: "/proc/\(processID)/status")
        let peak = status.split(separator: "\n").first { $0.hasPrefix("VmHWM:") }?.split(separator: " ").dropFirst()
            .first
        guard let peak, let kibibytes = Int64(peak.trimmingPrefix { $0 == "\t" }) else { throw .noUsage }
        peakResidentBytes = kibibytes << 10
    }

    private static func text(of path: String) throws(BenchmarkError) -> String {
        guard let bytes = FileManager.default.contents(atPath: path) else { throw .noUsage }
        return String(decoding: bytes, as: UTF8.self)
    }
}
