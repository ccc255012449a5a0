import AppStoreModel
import AppStoreSigning
import AsyncHTTPClient
import Foundation
import LocalAppStore
import LocalAppStoreServer
import NIOCore
import NIOHTTP1
import SubscriptionOperations
import SubscriptionStorage

/// A `perennial serve` of its own process and database, and a local store that it follows, with what it sold.
struct ServerUnderLoad {
    /// Where every measured store begins: 2026-09-21.
    private static let start: Int64 = 1_790_000_000_000
    private static let startLimit = Duration.seconds(30)

    /// Signed notifications that the server has not seen, in the order in which they were made.
    let payloads: [[UInt8]]
    /// The account tokens of those who bought, which are the server's customers once it has the notifications.
    let customers: [String]
    private let store: LocalAppStore
    private let authority: TestAuthority

    /// What is measured.
    struct Running {
        let port: Int
        let secretKey: String
        let server: ChildProgram
        let http: HTTPClient
        /// The engine's name.
        let engine: String
        /// The database that goes with the benchmark; nil where another was given.
        let file: URL?

        /// Bytes of the database and its log; nil where it is not the benchmark's own file.
        func storedBytes() -> Int64? {
            guard let file else { return nil }
            return ["", "-wal"].reduce(0) { sum, suffix in
                let attributes = try? FileManager.default.attributesOfItem(atPath: file.path + suffix)
                return sum + ((attributes?[.size] as? NSNumber)?.int64Value ?? 0)
            }
        }
    }

    /// Sells monthly subscriptions and lets them renew.
    ///
    /// - Parameters:
    ///   - subscriptions: One for each customer.
    ///   - period: How long they run, as an ISO 8601 duration.
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

    /// Runs store and server for as long as something is measured.
    ///
    /// - Parameters:
    ///   - given: The server's database; nil for a SQLite file that goes with the benchmark.
    ///   - fill: Makes the database larger before anything is measured.
    ///   - prepare: Stores what is there before that.
    ///   - measure: With the server that is measured.
    func use<Result: Sendable>(
        _ given: EmptyDatabase?,
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
                let server = try ChildProgram(
                    // An address may hold a password, so it is no argument.
                    arguments: [
                        "serve", "--port", "0", "--store", "http://127.0.0.1:\(storePort)", "--config", "/dev/null",
                    ],
                    environment: ["PERENNIAL_DEV_SECRET_KEY": secretKey, "PERENNIAL_DATABASE_URL": database.address],
                    folder: folder
                )
                do {
                    let url = try await server.listeningURL(within: Self.startLimit)
                    guard let port = URL(string: url)?.port else { throw BenchmarkError.noServer }
                    let outcome = try await body(
                        Running(
                            port: port,
                            secretKey: secretKey,
                            server: server,
                            http: http,
                            engine: database.engine,
                            file: given == nil ? file : nil
                        )
                    )
                    await server.stop()
                    return outcome
                } catch {
                    await server.stop()
                    throw error
                }
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
}

extension ServerUnderLoad.Running {
    /// Sends notifications over connections that stay open.
    ///
    /// - Parameter perSecond: So many in a second; without it as fast as the server takes them.
    func send(_ payloads: ArraySlice<[UInt8]>, connections: Int, perSecond: Double? = nil) async throws -> LoadReport {
        var load = LoadGenerator(port: port, connections: connections)
        load.interval = perSecond.map { .nanoseconds(Int64(Double(connections) / $0 * 1e9)) }
        return try await load.run { connection, number in
            let place = payloads.startIndex + connection + number * connections
            guard place < payloads.endIndex else { return nil }
            return LoadRequest(
                .POST,
                "/v1/apple/notifications",
                headers: ["Content-Type": "application/json"],
                body: .notification(payloads[place])
            )
        }
    }
}

extension ByteBuffer {
    /// What Apple posts.
    fileprivate static func notification(_ signedPayload: [UInt8]) -> ByteBuffer {
        var body = ByteBuffer()
        body.reserveCapacity(signedPayload.count + 20)
        body.writeString("{\"signedPayload\":\"")
        body.writeBytes(signedPayload)
        body.writeString("\"}")
        return body
    }
}
