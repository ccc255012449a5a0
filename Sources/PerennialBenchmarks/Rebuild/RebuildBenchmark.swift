import AppStoreModel
import AppStoreSigning
import AppStoreTestAuthorities
import PerennialCommandSupport
import SubscriptionCore
import SubscriptionOperations
import SubscriptionServer
import SubscriptionStorage

/// Measures `perennial rebuild --verify` on a database of renewals, relative to reading the evidence and to raw
/// signature checks.
struct RebuildBenchmark {
    private static let inputsPerPage = 500

    var subscriptions: Int
    var months: Int
    var rounds: Int
    /// The database; nil for a temporary SQLite file.
    var database: EmptyDatabase?

    /// The results, one object for programs.
    func run() async throws -> JSONObject {
        let folder = try BenchmarkFolder()
        defer { folder.remove() }
        let target = database ?? folder.database()
        try await database?.require()
        let opened = try await DatabaseAddress.open(target.address)
        let samples = try RenewalSamples()
        let app = AppID(bundleID: samples.app.bundleId, environment: .production)
        try await fill(opened, samples)
        let report = try await measure(opened, app, engine: target.engine)
        try await opened.close()
        return report
    }

    private func fill(_ database: any SubscriptionDatabase, _ samples: RenewalSamples) async throws {
        let time = FollowedTimeSource(Timestamp(milliseconds: SignedSamples.signedDate))
        let ingestion = Ingestion(
            database: database,
            verifier: SignedDataVerifier(roots: [samples.authority.trustedRoot], apps: [samples.app]),
            policy: AccessPolicy(),
            time: time
        )
        let progress = Progress()
        for month in 0..<months {
            progress.update("month \(month + 1) of \(months)")
            time.advance(to: Timestamp(milliseconds: SignedSamples.signedDate + Int64(month) * SignedSamples.month))
            for first in stride(from: 0, to: subscriptions, by: 32) {
                try await withThrowingTaskGroup(of: Void.self) { group in
                    for subscription in first..<min(first + 32, subscriptions) {
                        let notification = try samples.notification(of: subscription, month: month)
                        group.addTask { _ = try await ingestion.takeNotification(notification) }
                    }
                    try await group.waitForAll()
                }
            }
        }
        progress.update("")
    }

    private func measure(
        _ database: any SubscriptionDatabase,
        _ app: AppID,
        engine: String
    ) async throws -> JSONObject {
        let verification = RebuildVerification(database: database, policy: AccessPolicy())
        let memoryBefore = PeakMemory.bytes()
        var summary = RebuildVerification.Summary()
        var cpu: [Double] = []
        var waiting: [Double] = []
        var reading: [Double] = []
        for _ in 0..<rounds {
            let (start, cpuStart) = (ContinuousClock.now, ProcessClock.now())
            summary = try await verification.verify(app) { _ in }
            cpu.append(Double(ProcessClock.now() - cpuStart))
            waiting.append((ContinuousClock.now - start).inSeconds)
            reading.append(Double(try await read(database, app)))
        }
        guard summary.differences == 0, summary.inputs == subscriptions * months else {
            throw CommandFailure.report("the verification of the samples failed", status: .failed)
        }
        let kept = summary.inputs + 2 * subscriptions
        let (cpuTotal, seconds) = (Statistics.median(cpu), Statistics.median(waiting))
        let check = try RawSignature().costNanoseconds()
        return [
            "benchmark": .string("rebuild"),
            "build": .string(VerificationReport.build),
            "database": .string(engine),
            "inputs": .integer(Int64(summary.inputs)),
            "facts": .integer(Int64(summary.facts)),
            "facts_kept": .integer(Int64(kept)),
            "purchases": .integer(Int64(summary.purchases)),
            "cpu_microseconds_per_input": .rounded(cpuTotal / 1e3 / Double(summary.inputs), 2),
            "cpu_microseconds_per_fact": .rounded(cpuTotal / 1e3 / Double(summary.facts), 2),
            "facts_per_cpu_second": .rounded(Double(summary.facts) / cpuTotal * 1e9, 0),
            "facts_kept_per_cpu_second": .rounded(Double(kept) / cpuTotal * 1e9, 0),
            "facts_per_second": .rounded(Double(summary.facts) / seconds, 0),
            "raw_read_microseconds_per_input": .rounded(Statistics.median(reading) / 1e3 / Double(summary.inputs), 2),
            "raw_check_microseconds": .rounded(check / 1e3, 2),
            "input_in_raw_checks": .rounded(cpuTotal / Double(summary.inputs) / check, 2),
            "peak_memory_bytes_before": .integer(memoryBefore),
            "peak_memory_bytes": .integer(PeakMemory.bytes()),
            "rounds": .integer(Int64(rounds)),
            "time": .string("process_cpu"),
        ]
    }

    /// Reads and restores each input, and nothing else.
    ///
    /// - Returns: Nanoseconds of CPU time.
    private func read(_ database: any SubscriptionDatabase, _ app: AppID) async throws -> Int64 {
        let start = ProcessClock.now()
        var sequence: Int64 = 0
        while true {
            let last = try await database.read { [sequence] storage throws(StorageError) in
                try storage.evidence(of: app, after: sequence, limit: Self.inputsPerPage).last?.sequence
            }
            guard let last else { return ProcessClock.now() - start }
            sequence = last
        }
    }
}
