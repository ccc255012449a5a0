import AppStoreClient
import AppStoreModel
import AppStoreSigning
import AppStoreTestAuthorities
import AsyncHTTPClient
import Foundation
import PerennialCommandSupport
import SubscriptionCore
import SubscriptionOperations
import SubscriptionServer
import SubscriptionStorage

/// Measures a tick of status polling with few subscriptions and with many.
struct PollsBenchmark {
    /// What a tick costs, in microseconds: the median of all ticks.
    private struct Cost {
        var waiting: Double
        var cpu: Double
    }

    /// The costs of both kinds of ticks.
    private struct Costs {
        var idle: Cost
        var due: Cost
        var raw: Double
    }

    /// The number of few subscriptions.
    var few: Int
    /// The number of many subscriptions.
    var many: Int
    /// The number of entries that are due in a tick.
    var due: Int
    /// The number of measured ticks of each kind.
    var ticks: Int
    /// The database; nil for a temporary SQLite file.
    var database: EmptyDatabase?

    /// The results, one object for programs.
    func run() async throws -> JSONObject {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("perennial-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let target = database ?? EmptyDatabase(address: "sqlite:\(folder.appendingPathComponent("polls.db").path)")
        try await database?.require()
        let samples = try RenewalSamples()
        let time = FollowedTimeSource(Timestamp(milliseconds: SignedSamples.signedDate))
        let filling = try await PollsFilling(target, samples, few: few, many: many, time: time)
        try await filling.addFew()
        let before = try await measure(target, samples, filling, time)
        try await filling.addOthers()
        let after = try await measure(target, samples, filling, time)
        return report(before, after, engine: target.engine)
    }

    private func report(_ few: Costs, _ many: Costs, engine: String) -> JSONObject {
        var report: JSONObject = [
            "benchmark": "polls",
            "build": .string(VerificationReport.build),
            "database": .string(engine),
            "few_subscriptions": .integer(Int64(self.few)),
            "many_subscriptions": .integer(Int64(self.many)),
            "due": .integer(Int64(due)),
            "ticks": .integer(Int64(ticks)),
        ]
        for (size, costs) in [("few", few), ("many", many)] {
            report["\(size)_raw_p256_microseconds"] = .rounded(costs.raw, 1)
            for (kind, cost) in [("idle", costs.idle), ("due", costs.due)] {
                report["\(size)_\(kind)_microseconds"] = .rounded(cost.waiting, 0)
                report["\(size)_\(kind)_cpu_microseconds"] = .rounded(cost.cpu, 0)
            }
        }
        report["idle_many_to_few"] = .rounded(many.idle.waiting / few.idle.waiting, 2)
        report["due_many_to_few"] = .rounded(many.due.waiting / few.due.waiting, 2)
        report["idle_cpu_many_to_few"] = .rounded(many.idle.cpu / few.idle.cpu, 2)
        report["due_cpu_many_to_few"] = .rounded(many.due.cpu / few.due.cpu, 2)
        report["peak_memory_bytes"] = .integer(PeakMemory.bytes())
        report["time"] = "process_cpu"
        return report
    }

    /// Opens the database as a server does, and measures.
    private func measure(
        _ database: EmptyDatabase,
        _ samples: RenewalSamples,
        _ filling: PollsFilling,
        _ time: FollowedTimeSource
    ) async throws -> Costs {
        let opened = try await DatabaseAddress.open(database.address)
        let http = HTTPClient()
        let outcome: Result<Costs, any Error>
        do {
            let polling = try polling(opened, samples, time, http)
            let raw = try RawSignature().costNanoseconds() / 1e3
            let idle = try await measure(polling) {}
            let due = try await measure(polling) { try await filling.makeDue(self.due, in: opened) }
            guard try await !filling.isAnyLeft(in: opened) else { throw BenchmarkError.pollsLeft }
            outcome = .success(Costs(idle: idle, due: due, raw: raw))
        } catch {
            outcome = .failure(error)
        }
        try await http.shutdown()
        try await opened.close()
        return try outcome.get()
    }

    /// Measures ticks; half as many more come first and warm caches.
    private func measure(_ polling: StatusPolling, after prepare: () async throws -> Void) async throws -> Cost {
        let warm = ticks / 2 + 1
        var (waiting, cpu): ([Double], [Double]) = ([], [])
        for tick in 0..<(warm + ticks) {
            try await prepare()
            let (start, cpuStart) = (ContinuousClock.now, ProcessClock.now())
            try await polling.settle()
            guard tick >= warm else { continue }
            cpu.append(Double(ProcessClock.now() - cpuStart) / 1e3)
            waiting.append((ContinuousClock.now - start).inSeconds * 1e6)
        }
        return Cost(waiting: Statistics.median(waiting), cpu: Statistics.median(cpu))
    }

    private func polling(
        _ database: any SubscriptionDatabase,
        _ samples: RenewalSamples,
        _ time: FollowedTimeSource,
        _ http: HTTPClient
    ) throws -> StatusPolling {
        let key = AppStoreKey(
            bundleID: samples.app.bundleId,
            environments: [.production],
            keys: [InAppPurchaseKey.generate()],
            // The discard service. No call is made: see isAnyLeft.
            baseURL: "http://127.0.0.1:9"
        )
        return StatusPolling(
            database: database,
            verifier: SignedDataVerifier(roots: [samples.authority.trustedRoot], apps: [samples.app]),
            access: AppStoreAccess([key], transport: AsyncHTTPClientTransport(client: http)),
            policy: AccessPolicy(),
            settings: PollingSettings(),
            time: time
        )
    }
}
