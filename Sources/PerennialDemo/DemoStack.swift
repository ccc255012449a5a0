import Foundation
import PerennialCommandSupport
import SubscriptionOperations
import SubscriptionStorage

/// The two programs of the demo: the local store, and the server, which is restarted if it ends.
actor DemoStack {
    /// The parameters of the programs.
    struct Options: Sendable {
        var serverPort: Int
        var storePort: Int
        var seed: UInt64
        /// The start time of the virtual clock, milliseconds since 1970.
        var startsAt: Int64
        /// The server's database, which must be empty; nil for a temporary SQLite file.
        var database: String?
    }

    /// Their addresses.
    struct Addresses: Sendable {
        var store: String
        var server: String
    }

    private static let startLimit = Duration.seconds(60)
    private static let restartsMax = 100

    nonisolated let secretKey: String
    nonisolated let folder: URL
    private let options: Options
    private let log: @Sendable (String) -> Void
    private var store: ChildProgram?
    private var server: ChildProgram?
    private var addresses: Addresses?

    /// The number of restarts of the server.
    private var restarts = 0
    private var reportedRestarts = 0

    init(options: Options, log: @escaping @Sendable (String) -> Void) throws {
        self.options = options
        self.log = log
        secretKey = KeyIssuing.makeKey(.secret)
        folder = FileManager.default.temporaryDirectory.appendingPathComponent("perennial-demo-\(UUID().uuidString)")
        try FileManager.default.createDirectory(
            at: folder,
            withIntermediateDirectories: true,
            attributes: [.posixPermissions: 0o700]
        )
    }

    /// Starts both, and returns when they listen.
    func start() async throws -> Addresses {
        let arguments = [
            "store", "--port", "\(options.storePort)", "--environment", "production", "--seed", "\(options.seed)",
            "--now", "\(options.startsAt)",
        ]
        let store = try ChildProgram(arguments: arguments, environment: [:], folder: folder)
        self.store = store
        let storeURL = try await store.listeningURL(within: Self.startLimit)
        if let database = options.database { try await EmptyDatabase(address: database).require() }
        let serverURL = try await startServer(port: options.serverPort, storeURL: storeURL)
        let addresses = Addresses(store: storeURL, server: serverURL)
        self.addresses = addresses
        return addresses
    }

    /// Supervises both until the task is cancelled: a server that ended is restarted on its port and database.
    ///
    /// - Throws: `RunError` if the store ends, because its data is lost, or if the server ends too often.
    func supervise() async throws {
        guard let addresses, let store, let port = URL(string: addresses.server)?.port else { return }
        while let server {
            let status = try await firstToEnd(store: store, server: server)
            if let ended = store.status {
                throw RunError(
                    .programEnded,
                    "the store ended (status \(ended)), and its data is lost; the end of its log is above",
                    log: store.logTail()
                )
            }
            guard restarts < Self.restartsMax else {
                throw RunError(
                    .programEnded,
                    "the server ended \(restarts) times; the end of its log is above",
                    log: server.logTail()
                )
            }
            log("the server ended (status \(status)): restarting it on port \(port) with the same database")
            _ = try await startServer(port: port, storeURL: addresses.store)
            restarts += 1
        }
    }

    /// Whether the server was restarted since the last call.
    func hasRestartedSinceLastCall() -> Bool {
        defer { reportedRestarts = restarts }
        return restarts > reportedRestarts
    }

    /// Ends both and removes their files.
    func stop() async {
        await server?.stop()
        await store?.stop()
        do {
            try FileManager.default.removeItem(at: folder)
        } catch {
            log("\(folder.path) could not be deleted: delete it yourself")
        }
    }

    private func startServer(port: Int, storeURL: String) async throws -> String {
        let file = folder.appendingPathComponent("perennial.db").path
        let child = try ChildProgram(
            // The settings of the working folder are for another server. An address may contain a password, so it is
            // not an argument.
            arguments: ["serve", "--port", "\(port)", "--store", storeURL, "--config", "/dev/null"],
            environment: [
                "PERENNIAL_DEV_SECRET_KEY": secretKey,
                "PERENNIAL_DATABASE_URL": options.database ?? "sqlite:\(file)",
                // The demo has one key, which drafts a campaign and approves it.
                "PERENNIAL_CAMPAIGNS_APPROVE_OWN": "true",
                // The one key stands for many clients.
                "PERENNIAL_RATE_LIMITS_REQUESTS_PER_SECOND": "0",
                // The clock moves by hours and days, so each event that fails once would be overtaken.
                "PERENNIAL_WEBHOOKS_OVERTAKE_AFTER_MS": "0",
            ],
            folder: folder
        )
        server = child
        return try await child.listeningURL(within: Self.startLimit)
    }

    private func firstToEnd(store: ChildProgram, server: ChildProgram) async throws -> Int32 {
        while true {
            if let status = store.status ?? server.status { return status }
            try await Task.sleep(for: .milliseconds(20))
        }
    }
}
