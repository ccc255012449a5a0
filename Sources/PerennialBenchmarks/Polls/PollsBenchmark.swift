import AppStoreClient
import AppStoreModel
import AppStoreSigning
import AppStoreTestAuthorities
import AsyncHTTPClient
import PerennialCommandSupport
import SubscriptionCore
import SubscriptionOperations
import SubscriptionServer
import SubscriptionStorage

/// Measures a tick of status polling with few subscriptions and with many.
struct PollsBenchmark {
    /// A filled database, and what its ticks cost in microseconds.
    private struct Site {
        /// Those of one kind of tick.
        struct Costs {
            var waiting: [Double] = []
            var cpu: [Double] = []
        }

        let filling: SubscriptionFilling
        let database: any SubscriptionDatabase
        let polling: StatusPolling
        var idle = Costs()
        var due = Costs()
    }

    /// The number of few subscriptions.
    var few: Int
    /// The number of many subscriptions.
    var many: Int
    /// The number of entries that are due in a tick.
    var due: Int
    /// The number of measured ticks of each kind.
    var ticks: Int
    /// The databases of the few and of the many; nil for temporary SQLite files.
    var databases: (few: EmptyDatabase, many: EmptyDatabase)?

    /// The results, one object for programs.
    func run() async throws -> JSONObject {
        let folder = try BenchmarkFolder()
        defer { folder.remove() }
        let targets = databases ?? (folder.database("few"), folder.database("many"))
        try await targets.few.require()
        try await targets.many.require()
        let samples = try RenewalSamples()
        let http = HTTPClient()
        let outcome: Result<[Site], any Error>
        do {
            outcome = .success(
                try await measure([
                    try await site(targets.few, few, samples, http), try await site(targets.many, many, samples, http),
                ])
            )
        } catch {
            outcome = .failure(error)
        }
        try await http.shutdown()
        let sites = try outcome.get()
        return report(sites[0], sites[1], engine: targets.many.engine, raw: try RawSignature().costNanoseconds())
    }

    private func report(_ few: Site, _ many: Site, engine: String, raw: Double) -> JSONObject {
        var report: JSONObject = [
            "benchmark": "polls",
            "build": .string(VerificationReport.build),
            "database": .string(engine),
            "few_subscriptions": .integer(Int64(self.few)),
            "many_subscriptions": .integer(Int64(self.many)),
            "due": .integer(Int64(due)),
            "ticks": .integer(Int64(ticks)),
            "raw_p256_microseconds": .rounded(raw / 1e3, 1),
        ]
        for (kind, costs) in [("idle", (few.idle, many.idle)), ("due", (few.due, many.due))] {
            let (waiting, manyWaiting) = (Statistics.median(costs.0.waiting), Statistics.median(costs.1.waiting))
            let (cpu, manyCPU) = (Statistics.median(costs.0.cpu), Statistics.median(costs.1.cpu))
            report["few_\(kind)_microseconds"] = .rounded(waiting, 0)
            report["many_\(kind)_microseconds"] = .rounded(manyWaiting, 0)
            report["\(kind)_many_to_few"] = .rounded(manyWaiting / waiting, 2)
            report["few_\(kind)_cpu_microseconds"] = .rounded(cpu, 0)
            report["many_\(kind)_cpu_microseconds"] = .rounded(manyCPU, 0)
            report["\(kind)_cpu_many_to_few"] = .rounded(manyCPU / cpu, 2)
        }
        report["peak_memory_bytes"] = .integer(PeakMemory.bytes())
        report["time"] = "process_cpu"
        return report
    }

    /// Fills a database and opens it as a server does.
    private func site(
        _ target: EmptyDatabase,
        _ count: Int,
        _ samples: RenewalSamples,
        _ http: HTTPClient
    ) async throws -> Site {
        let time = FollowedTimeSource(Timestamp(milliseconds: SignedSamples.signedDate))
        let filling = try await SubscriptionFilling(target, samples, count: count, time: time)
        try await filling.fill()
        let opened = try await DatabaseAddress.open(target.address)
        return Site(filling: filling, database: opened, polling: try polling(opened, samples, time, http))
    }

    /// Measures ticks of the databases in turn, so that the machine is equally busy for all. Half as many more come
    /// first and warm caches.
    private func measure(_ opened: [Site]) async throws -> [Site] {
        var sites = opened
        let warm = ticks / 2 + 1
        for tick in 0..<(warm + ticks) {
            for index in tick.isMultiple(of: 2) ? Array(sites.indices) : sites.indices.reversed() {
                let site = sites[index]
                let idle = try await measure(site.polling)
                try await site.filling.makeDue(due, in: site.database)
                let due = try await measure(site.polling)
                guard tick >= warm else { continue }
                sites[index].idle.waiting.append(idle.waiting)
                sites[index].idle.cpu.append(idle.cpu)
                sites[index].due.waiting.append(due.waiting)
                sites[index].due.cpu.append(due.cpu)
            }
        }
        for site in sites {
            guard try await !site.filling.isAnyLeft(in: site.database) else { throw BenchmarkError.pollsLeft }
            try await site.database.close()
        }
        return sites
    }

    private func measure(_ polling: StatusPolling) async throws -> (waiting: Double, cpu: Double) {
        let (start, cpuStart) = (ContinuousClock.now, ProcessClock.now())
        try await polling.settle()
        let cpu = Double(ProcessClock.now() - cpuStart) / 1e3
        return ((ContinuousClock.now - start).inSeconds * 1e6, cpu)
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
