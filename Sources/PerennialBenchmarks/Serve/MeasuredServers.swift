import AsyncHTTPClient
import Foundation
import PerennialCommandSupport
import SubscriptionOperations
import SubscriptionStorage

/// The processes of `perennial serve` that are measured on a database.
struct MeasuredServers: Sendable {
    private static let startLimit = Duration.seconds(30)

    let database: EmptyDatabase
    /// The folder of their output.
    let folder: URL
    /// The temporary database; nil if another one was given.
    let file: URL?
    /// The number of servers that share the database.
    let count: Int
    /// What a server asks Apple for on its own is not a part of the measured work: it would fetch the history of each
    /// subscription, because a benchmark begins with renewals. One key makes more requests than a key may by default.
    private static let settings = [
        "PERENNIAL_RECOVERY_ENABLED": "false", "PERENNIAL_POLLING_ENABLED": "false",
        "PERENNIAL_CAMPAIGNS_APPROVE_OWN": "true", "PERENNIAL_RATE_LIMITS_REQUESTS_PER_SECOND": "0",
    ]

    /// - Parameter given: The database; nil for a temporary SQLite file.
    init(on given: EmptyDatabase?, _ folder: BenchmarkFolder, count: Int = 1) {
        database = given ?? folder.database()
        self.folder = folder.url
        file = given == nil ? folder.databaseFile() : nil
        self.count = count
    }

    /// Runs the servers during a measurement, and stops them afterwards.
    func run<Outcome: Sendable>(
        followingStoreAt storePort: Int,
        _ http: HTTPClient,
        _ body: @Sendable (ServerUnderLoad.Running) async throws -> Outcome
    ) async throws -> Outcome {
        let secretKey = KeyIssuing.makeKey(.secret)
        let programs = try (0..<count).map { try program($0, storePort: storePort, secretKey: secretKey) }
        let outcome: Result<Outcome, any Error>
        do {
            var ports: [Int] = []
            for program in programs {
                let url = try await program.listeningURL(within: Self.startLimit)
                guard let port = URL(string: url)?.port else { throw BenchmarkError.noServer }
                ports.append(port)
            }
            let running = ServerUnderLoad.Running(
                ports: ports,
                secretKey: secretKey,
                storeURL: "http://127.0.0.1:\(storePort)",
                http: http,
                engine: database.engine,
                servers: programs,
                file: file
            )
            outcome = .success(try await body(running))
        } catch {
            outcome = .failure(error)
        }
        for program in programs { await program.stop() }
        return try outcome.get()
    }

    private func program(_ number: Int, storePort: Int, secretKey: String) throws -> ChildProgram {
        let own = folder.appendingPathComponent("\(number)")
        try FileManager.default.createDirectory(at: own, withIntermediateDirectories: true)
        return try ChildProgram(
            // An address may contain a password, so it is not an argument.
            arguments: ["serve", "--port", "0", "--store", "http://127.0.0.1:\(storePort)", "--config", "/dev/null"],
            environment: Self.settings.merging(
                ["PERENNIAL_DEV_SECRET_KEY": secretKey, "PERENNIAL_DATABASE_URL": database.address]
            ) { $1 },
            folder: own
        )
    }
}
