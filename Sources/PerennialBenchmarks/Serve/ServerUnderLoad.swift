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
import SubscriptionOperations
import SubscriptionStorage

/// A `perennial serve` in a separate process with its own database, and the local store that it follows, with the
/// store's sales.
struct ServerUnderLoad {
    /// The start time of every measured store: 2026-09-21.
    private static let start: Int64 = 1_790_000_000_000
    private static let startLimit = Duration.seconds(30)

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
        let http: HTTPClient
        /// The engine's name.
        let engine: String
        fileprivate let servers: [ChildProgram]
        /// The temporary database; nil if another one was given.
        fileprivate let file: URL?

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
    init(subscriptions: Int, period: String) throws {
        authority = try TestAuthority()
        var store = try LocalAppStore(authority: authority, now: Self.start)
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
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent(
            "perennial-bench-\(UUID().uuidString)"
        )
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let file = folder.appendingPathComponent("perennial.db")
        let database = given ?? EmptyDatabase(address: "sqlite:\(file.path)")
        let secretKey = KeyIssuing.makeKey(.secret)
        let running = RunningStoreServer(
            store: store,
            key: InAppPurchaseKey.generate(),
            rootCertificatePEM: authority.rootCertificatePEM
        )
        return try await running.use { storePort, http in
            @Sendable func serve<Outcome: Sendable>(
                _ body: @Sendable (Running) async throws -> Outcome
            ) async throws -> Outcome {
                let programs = try (0..<count).map { number in
                    try Self.server(number, storePort: storePort, database: database, secretKey: secretKey, in: folder)
                }
                let outcome: Swift.Result<Outcome, any Error>
                do {
                    var ports: [Int] = []
                    for program in programs {
                        let url = try await program.listeningURL(within: Self.startLimit)
                        guard let port = URL(string: url)?.port else { throw BenchmarkError.noServer }
                        ports.append(port)
                    }
                    let measured = Running(
                        ports: ports,
                        secretKey: secretKey,
                        http: http,
                        engine: database.engine,
                        servers: programs,
                        file: given == nil ? file : nil
                    )
                    outcome = .success(try await body(measured))
                } catch {
                    outcome = .failure(error)
                }
                for program in programs { await program.stop() }
                return try outcome.get()
            }
            guard let fill else {
                return try await serve {
                    try await prepare($0)
                    return try await measure($0)
                }
            }
            try await serve(prepare)
            try await fill.run(on: database)
            return try await serve(measure)
        }
    }

    private static func server(
        _ number: Int,
        storePort: Int,
        database: EmptyDatabase,
        secretKey: String,
        in folder: URL
    ) throws -> ChildProgram {
        let own = folder.appendingPathComponent("\(number)")
        try FileManager.default.createDirectory(at: own, withIntermediateDirectories: true)
        return try ChildProgram(
            // An address may contain a password, so it is not an argument.
            arguments: ["serve", "--port", "0", "--store", "http://127.0.0.1:\(storePort)", "--config", "/dev/null"],
            environment: ["PERENNIAL_DEV_SECRET_KEY": secretKey, "PERENNIAL_DATABASE_URL": database.address],
            folder: own
        )
    }
}

extension ServerUnderLoad.Running {
    /// Sends notifications over persistent connections.
    ///
    /// - Parameter perSecond: The request rate; without it, as fast as the server accepts them.
    func send(_ payloads: ArraySlice<[UInt8]>, connections: Int, perSecond: Double? = nil) async throws -> LoadReport {
        var load = LoadGenerator(ports: ports, connections: connections)
        load.interval = perSecond.map { .nanoseconds(Int64(Double(connections) / $0 * 1e9)) }
        return try await load.run { connection, number in
            let index = payloads.startIndex + connection + number * connections
            guard index < payloads.endIndex else { return nil }
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
