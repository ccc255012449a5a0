import AppStoreModel
import AppStoreSigning
import AppStoreTestAuthorities
import AsyncHTTPClient
import LocalAppStore
import LocalAppStoreServer
import NIOHTTP1

/// Measures the local store: the speed of simulating histories, opening a file, delivering notifications and answering
/// calls.
struct StoreBenchmark {
    /// The start time of every measured store: 2026-09-21.
    private static let start: Int64 = 1_790_000_000_000
    private static let connections = 16

    /// Accounts of the population without notifications.
    var accounts: Int
    /// Its number of months.
    var months: Int
    /// Accounts of the population in the opened file, over as many months.
    var openedAccounts: Int
    /// Subscriptions whose notifications are delivered for 13 months.
    var subscriptions: Int
    /// Calls of Apple's API.
    var reads: Int

    func run() async throws -> StoreBenchReport {
        let population = try populate()
        let opening = try OpeningBenchmark(accounts: openedAccounts, months: months, now: Self.start).run()
        let (delivery, reads) = try await serve()
        return StoreBenchReport(population: population, opening: opening, delivery: delivery, reads: reads)
    }

    private func populate() throws -> StoreBenchReport.Population {
        var store = try newStore(TestAuthority())
        let before = PeakMemory.bytes()
        let clock = ContinuousClock()
        let start = clock.now
        let report = try store.populate(PopulationRequest(accounts: accounts, months: months, seed: 1))
        let seconds = (clock.now - start).inSeconds
        let peak = PeakMemory.bytes()
        let years = Double(report.subscriptions) * Double(months) / 12
        return StoreBenchReport.Population(
            accounts: report.accounts,
            months: months,
            transactions: report.transactions,
            subscriptions: report.subscriptions,
            seconds: seconds,
            peakBytes: peak,
            bytesPerSubscriptionYear: Double(peak - before) / years
        )
    }

    private func newStore(_ authority: TestAuthority) throws -> LocalAppStore {
        LocalAppStore(
            configuration: LocalAppStore.Configuration(seed: 1),
            catalog: try Catalog.example(),
            signer: authority.signer,
            now: Self.start
        )
    }

    /// Runs a store with subscriptions, and measures deliveries and calls.
    private func serve() async throws -> (StoreBenchReport.Delivery, StoreBenchReport.Reads) {
        let authority = try TestAuthority()
        var store = try newStore(authority)
        for number in 0..<subscriptions {
            let account = try store.createAccount(accountId: "c\(number)")
            _ = try store.purchase(
                accountId: account.accountId,
                request: PurchaseRequest(productId: "pro.monthly")
            )
        }
        let signing = try SigningBenchmark(authority).run()
        let key = InAppPurchaseKey.generate()
        let running = RunningStoreServer(store: store, key: key, rootCertificatePEM: authority.rootCertificatePEM)
        return try await running.use { port, http in
            let url = "http://127.0.0.1:\(port)"
            _ = try await call(http, .PUT, "\(url)/_store/settings", body: ["rateLimits": "off"])
            let reads = try await measureReads(port: port, key: key)
            let delivery = try await measureDeliveries(url, http, signing: signing)
            return (delivery, reads)
        }
    }

    private func measureDeliveries(
        _ url: String,
        _ http: HTTPClient,
        signing: StoreBenchReport.Signing
    ) async throws -> StoreBenchReport.Delivery {
        try await NotificationSink.use { sink in
            let endpoint: JSONObject = ["url": .string(sink)]
            _ = try await call(http, .PUT, "\(url)/_store/notification-endpoint", body: endpoint)
            let clock = ContinuousClock()
            let (start, cpu) = (clock.now, ProcessClock.now())
            let report = try await call(http, .POST, "\(url)/_store/clock/advance", body: ["by": "P13M"])
            let seconds = (clock.now - start).inSeconds
            let sent = report.objectValue?["notifications"]?.objectValue?["sent"]?.integerValue
            return StoreBenchReport.Delivery(
                subscriptions: subscriptions,
                notifications: Int(sent ?? 0),
                seconds: seconds,
                cpuSeconds: Double(ProcessClock.now() - cpu) / 1e9,
                signing: signing
            )
        }
    }

    private func measureReads(port: Int, key: InAppPurchaseKey) async throws -> StoreBenchReport.Reads {
        let token = try BearerToken.make(
            key: key,
            bundleId: LocalAppStore.Configuration().bundleId,
            issuedAt: Self.start / 1000
        )
        let (subscriptions, perConnection) = (subscriptions, reads / Self.connections)
        let load = LoadGenerator(ports: [port], connections: Self.connections)
        let clock = ContinuousClock()
        let (start, cpu) = (clock.now, ProcessClock.now())
        _ = try await load.run { connection, number in
            guard number < perConnection else { return nil }
            let id = 2_000_000_000_000_001 + (connection + number * Self.connections) % subscriptions
            return LoadRequest(.GET, "/inApps/v1/transactions/\(id)", headers: ["Authorization": "Bearer \(token)"])
        }
        return StoreBenchReport.Reads(
            count: perConnection * Self.connections,
            seconds: (clock.now - start).inSeconds,
            cpuSeconds: Double(ProcessClock.now() - cpu) / 1e9
        )
    }
}

extension Duration {
    /// As a number of seconds.
    var inSeconds: Double { Double(components.seconds) + Double(components.attoseconds) / 1e18 }
}
