import AppStoreModel
import AppStoreSigning
import AppStoreTestAuthorities
import AsyncHTTPClient
import Foundation
import LocalAppStore
import LocalAppStoreServer
import NIOCore
import NIOHTTP1
import PerennialCommandSupport

/// A `perennial serve` in a separate process with its own database, and the local store that it follows, with the
/// store's sales.
struct ServerUnderLoad {
    /// The start time of every measured store: 2026-09-21.
    static let start: Int64 = 1_790_000_000_000

    /// Signed notifications that the server has not received, in order of creation.
    let payloads: [[UInt8]]
    /// The account tokens of the buyers, which are the server's customers once it has the notifications.
    let customers: [String]
    private let store: LocalAppStore
    private let authority: TestAuthority

    /// The measured servers.
    struct Running {
        /// The port of each server.
        let ports: [Int]
        let secretKey: String
        /// The address of the store.
        let storeURL: String
        let http: HTTPClient
        /// The engine's name.
        let engine: String
        let servers: [ChildProgram]
        /// The temporary database; nil if another one was given.
        let file: URL?

        /// The resource usage of the servers.
        func usage() throws -> ProcessUsage { try ProcessUsage(of: servers.map(\.processID)) }

        /// Stops the servers.
        func stop() async {
            for server in servers { await server.stop() }
        }

        /// The size of the database and its log; nil if it is not the temporary file.
        func storedBytes() -> Int64? {
            guard let file else { return nil }
            return ["", "-wal"].reduce(0) { sum, suffix in
                let attributes = try? FileManager.default.attributesOfItem(atPath: file.path + suffix)
                return sum + ((attributes?[.size] as? NSNumber)?.int64Value ?? 0)
            }
        }
    }

    /// Sells monthly subscriptions and renews them.
    ///
    /// - Parameters:
    ///   - subscriptions: One for each customer.
    ///   - period: The duration, as an ISO 8601 duration.
    ///   - authority: Signs the payloads; nil for a new one.
    ///   - configuration: The app, the environment and the seed.
    init(
        subscriptions: Int,
        period: String,
        signedBy authority: TestAuthority? = nil,
        configuration: LocalAppStore.Configuration = LocalAppStore.Configuration()
    ) throws {
        let authority = if let authority { authority } else { try TestAuthority() }
        var store = try LocalAppStore(authority: authority, configuration: configuration, now: Self.start)
        var customers: [String] = []
        for number in 0..<subscriptions {
            let token = UUID().uuidString.lowercased()
            let account = try store.createAccount(accountId: "c\(number)")
            var purchase = PurchaseRequest(productId: "pro.monthly")
            purchase.appAccountToken = token
            _ = try store.purchase(accountId: account.accountId, request: purchase)
            customers.append(token)
        }
        var payloads: [[UInt8]] = []
        try store.advance(by: period) { delivery in
            payloads.append(Array(delivery.signedPayload.utf8))
            return .success
        }
        self.payloads = payloads
        self.customers = customers
        self.store = store
        self.authority = authority
    }

    /// Runs store and servers during a measurement.
    ///
    /// - Parameters:
    ///   - given: The servers' database; nil for a temporary SQLite file.
    ///   - count: The number of servers that share it.
    ///   - fill: Enlarges the database before the measurement.
    ///   - prepare: Stores the initial data before that.
    ///   - measure: Runs the measurement with the servers.
    func use<Result: Sendable>(
        _ given: EmptyDatabase?,
        servers count: Int = 1,
        filledBy fill: FillProgram?,
        prepare: @Sendable (Running) async throws -> Void,
        measure: @Sendable (Running) async throws -> Result
    ) async throws -> Result {
        try await given?.require()
        let folder = try BenchmarkFolder()
        defer { folder.remove() }
        let servers = MeasuredServers(on: given, folder, count: count)
        return try await runningStore.use { storePort, http in
            guard let fill else {
                return try await servers.run(followingStoreAt: storePort, http) {
                    try await prepare($0)
                    return try await measure($0)
                }
            }
            try await servers.run(followingStoreAt: storePort, http, prepare)
            try await fill.run(on: servers.database)
            return try await servers.run(followingStoreAt: storePort, http, measure)
        }
    }

    /// Runs store and servers during a measurement on a database that may already have data.
    func use<Result: Sendable>(
        _ servers: MeasuredServers,
        measure: @Sendable (Running) async throws -> Result
    ) async throws -> Result {
        try await runningStore.use { storePort, http in
            try await servers.run(followingStoreAt: storePort, http, measure)
        }
    }

    private var runningStore: RunningStoreServer {
        RunningStoreServer(
            store: store,
            key: InAppPurchaseKey.generate(),
            rootCertificatePEM: authority.rootCertificatePEM
        )
    }
}

extension ServerUnderLoad.Running {
    /// Sends notifications over persistent connections.
    ///
    /// - Parameters:
    ///   - perSecond: The request rate; without it, as fast as the server accepts them.
    ///   - onSend: Gets each notification when it is sent.
    func send(
        _ payloads: ArraySlice<[UInt8]>,
        connections: Int,
        perSecond: Double? = nil,
        onSend: (@Sendable ([UInt8]) -> Void)? = nil
    ) async throws -> LoadReport {
        var load = LoadGenerator(ports: ports, connections: connections)
        load.interval = perSecond.map { .nanoseconds(Int64(Double(connections) / $0 * 1e9)) }
        return try await load.run { connection, number in
            let index = payloads.startIndex + connection + number * connections
            guard index < payloads.endIndex else { return nil }
            onSend?(payloads[index])
            return LoadRequest(
                .POST,
                "/v1/apple/notifications",
                headers: ["Content-Type": "application/json"],
                body: .notification(payloads[index])
            )
        }
    }
}

extension ByteBuffer {
    /// Apple's request.
    fileprivate static func notification(_ signedPayload: [UInt8]) -> ByteBuffer {
        var body = ByteBuffer()
        body.reserveCapacity(signedPayload.count + 20)
        body.writeString("{\"signedPayload\":\"")
        body.writeBytes(signedPayload)
        body.writeString("\"}")
        return body
    }
}
