import AppStoreClient
import AppStoreModel
import AppStoreSigning
import AsyncHTTPClient
import SubscriptionCore
import SubscriptionOperations
import SubscriptionStorage

/// Checks everything that a server needs, beside a running server. It changes nothing, except that Apple sends a test
/// notification.
package struct Doctor: Sendable {
    private let configuration: ServerConfiguration
    private let databaseName: String
    private let sendsTestNotification: Bool
    private let time: any TimeSource = SystemTimeSource()

    /// Makes the checks.
    ///
    /// - Parameters:
    ///   - configuration: Valid settings.
    ///   - databaseName: The address of the database without a password.
    ///   - sendsTestNotification: Whether a test notification is requested for each app.
    package init(_ configuration: ServerConfiguration, databaseName: String, sendsTestNotification: Bool) {
        self.configuration = configuration
        self.databaseName = databaseName
        self.sendsTestNotification = sendsTestNotification
    }

    /// Runs all checks, those of different apps at the same time. Each has a time limit.
    package func run() async throws -> [DoctorFinding] {
        let client = HTTPClient(configuration: .init(redirectConfiguration: .disallow))
        let stores = await DoctorStores(configuration.storeURLs, client: client)
        let opened = await DoctorDatabase(configuration, name: databaseName, stores: stores, time: time)
        let transport = AsyncHTTPClientTransport(client: client)
        let findings = await findings(stores, opened, transport)
        try await opened.database?.close()
        try await client.shutdown()
        return findings.inOrderOfChecks()
    }

    private func findings(
        _ stores: DoctorStores,
        _ opened: DoctorDatabase,
        _ transport: any HTTPTransport
    ) async -> [DoctorFinding] {
        let configured = configuration.apps.map(\.id) + stores.stores.map(\.credentials.app.id)
        var apps: [AppID] = []
        for app in configured + opened.apps where !apps.contains(app) { apps.append(app) }
        // Apps without an Apple ID are not served in production.
        let keys = configuration.appStoreKeys + stores.stores.map(\.credentials.key)
        let targets = keys.flatMap(AppStoreTarget.targets).filter { apps.contains($0.app) }
        let hosts = Self.hosts(of: targets, followsStore: !configuration.storeURLs.isEmpty)
        // Times of a local store mean nothing by this machine's clock.
        let now = configuration.storeURLs.isEmpty ? time.now() : stores.now
        let (time, configuration, sends, database) = (time, configuration, sendsTestNotification, opened.database)
        return await withTaskGroup(of: (Int, [DoctorFinding]).self) { group in
            for (index, url) in hosts.enumerated() {
                let reachability = AppleReachability(url: url, transport: transport, time: time)
                group.addTask { (index, await reachability.findings()) }
            }
            for (index, app) in apps.enumerated() {
                let checkup = AppCheckup(
                    app: app,
                    target: targets.last { $0.app == app },
                    database: database,
                    configuration: configuration,
                    sendsTestNotification: sends,
                    transport: transport,
                    now: now
                )
                let position = hosts.count + index
                group.addTask { (position, await checkup.findings()) }
            }
            var parts: [(Int, [DoctorFinding])] = []
            for await part in group { parts.append(part) }
            let ordered = parts.sorted { $0.0 < $1.0 }.flatMap { $0.1 }
            return stores.findings + opened.findings + roots(stores, at: now ?? time.now()) + ordered
        }
    }

    /// The base URLs that have to be reachable, in alphabetical order: those of the keys, and both of Apple unless a
    /// local store is followed. Apple's review of an app buys in the sandbox, and keys may be added later.
    static func hosts(of targets: [AppStoreTarget], followsStore: Bool) -> [String] {
        var hosts = Set(targets.filter { !$0.isLocal }.compactMap { $0.hosts[$0.environment] })
        if !followsStore {
            hosts.formUnion([AppStoreEnvironment.production, .sandbox].compactMap { AppStoreHosts.apple[$0] })
        }
        return hosts.sorted()
    }

    private func roots(_ stores: DoctorStores, at now: Timestamp) -> [DoctorFinding] {
        let others =
            configuration.roots + configuration.scopedRoots.map(\.root) + stores.stores.map(\.credentials.root)
        let reviews =
            [RootReview(root: .appleRootCAG3, isApples: true)]
            + others.map { RootReview(root: $0, isApples: false) }
        return reviews.map { $0.finding(at: now) }
    }
}
