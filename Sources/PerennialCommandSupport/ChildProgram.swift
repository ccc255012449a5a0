package import Foundation
import Synchronization

#if canImport(Darwin)
    import Darwin
#elseif canImport(Musl)
    import Musl
#else
    import Glibc
#endif

/// A child process: this program with another command.
///
/// Its output goes to files, so that no pipe must be read and the log is available after a failure. Its input is a pipe
/// without data: the pipe closes when this process ends for any reason, and the child then ends too.
package final class ChildProgram: Sendable {
    private static let pollInterval = Duration.milliseconds(20)
    private static let logTailBytes = 2_000

    /// The command of the child.
    package let name: String
    private let process: Process
    private let input = Pipe()
    private let output: URL
    private let log: URL
    private let exitStatus = Mutex<Int32?>(nil)

    /// Starts the child.
    ///
    /// - Parameters:
    ///   - arguments: The command first, which also names the files in `folder`; it must support
    ///     `--until-end-of-input`.
    ///   - environment: Added to this process's own.
    package init(arguments: [String], environment: [String: String], folder: URL) throws {
        name = arguments.first ?? "child"
        output = folder.appendingPathComponent("\(name).out")
        log = folder.appendingPathComponent("\(name).log")
        process = Process()
        process.executableURL = try Self.ownExecutable()
        process.arguments = arguments + ["--until-end-of-input"]
        process.environment = ProcessInfo.processInfo.environment.merging(environment) { _, added in added }
        process.standardInput = input
        // Any child that inherited this end would keep the pipe open after this process has ended.
        guard fcntl(input.fileHandleForWriting.fileDescriptor, F_SETFD, FD_CLOEXEC) == 0 else {
            throw RunError(
                .notStarted,
                "the pipe to \(name) could not be created: not enough resources; try again"
            )
        }
        process.standardOutput = try Self.emptyFile(output)
        process.standardError = try Self.emptyFile(log)
        process.terminationHandler = { [weak self] ended in
            self?.exitStatus.withLock { $0 = ended.terminationStatus }
        }
        try process.run()
    }

    /// How it ended: the exit status, or the signal number; nil while it runs.
    package var status: Int32? { exitStatus.withLock { $0 } }

    /// The process identifier.
    package var processID: Int32 { process.processIdentifier }

    /// The address in the first line of output, `listening on http://…`.
    ///
    /// - Throws: ``RunError`` with the end of its log if it ends first or prints nothing in time.
    package func listeningURL(within limit: Duration) async throws -> String {
        let clock = ContinuousClock()
        let start = clock.now
        while status == nil, clock.now - start < limit {
            if let line = firstLine() {
                let prefix = "listening on "
                guard line.hasPrefix(prefix) else { throw unexpected(line) }
                return String(line.dropFirst(prefix.count))
            }
            try await clock.sleep(for: Self.pollInterval)
        }
        let reason = status.map { "ended with status \($0)" } ?? "does not listen after \(limit)"
        throw RunError(.programEnded, "\(name) \(reason); the end of its log is above", log: logTail())
    }

    private func unexpected(_ line: String) -> RunError {
        RunError(.programEnded, "\(name) printed text other than its address: \(line)", log: logTail())
    }

    /// Asks the child to end, and kills it if it does not.
    package func stop() async {
        guard status == nil else { return }
        process.terminate()
        if await hasEnded(within: .seconds(5)) { return }
        kill(process.processIdentifier, SIGKILL)
        _ = await hasEnded(within: .seconds(5))
    }

    /// The end of the child's log.
    package func logTail() -> String {
        guard let bytes = try? Data(contentsOf: log) else { return "" }
        return String(decoding: bytes.suffix(Self.logTailBytes), as: UTF8.self)
    }

    private func hasEnded(within limit: Duration) async -> Bool {
        let clock = ContinuousClock()
        let start = clock.now
        while status == nil, clock.now - start < limit {
            do { try await clock.sleep(for: Self.pollInterval) } catch { return status != nil }
        }
        return status != nil
    }

    private func firstLine() -> String? {
        guard let bytes = try? Data(contentsOf: output), let end = bytes.firstIndex(of: UInt8(ascii: "\n")) else {
            return nil
        }
        return String(decoding: bytes[..<end], as: UTF8.self)
    }

    private static func ownExecutable() throws -> URL {
        guard let url = Bundle.main.executableURL else {
            throw RunError(.notStarted, "the path of this program is unknown: start it by its full path")
        }
        return url
    }

    private static func emptyFile(_ url: URL) throws -> FileHandle {
        guard FileManager.default.createFile(atPath: url.path, contents: nil) else {
            throw RunError(
                .notStarted,
                "cannot write \(url.path): is the folder for temporary files full or read-only?"
            )
        }
        return try FileHandle(forWritingTo: url)
    }
}
