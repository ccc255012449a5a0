import PostgreSQLTesting
import SubscriptionCore
import SubscriptionStorage
import SubscriptionStoragePostgreSQL

/// A new schema on the test server, for any number of engines. Each engine represents a server process.
struct PostgreSQLFixture: Sendable {
    static let app = AppID("com.example.app/sandbox")
    static let otherApp = AppID("com.example.other/sandbox")

    let server: PostgreSQLTestServer
    let schema: String

    init(server: PostgreSQLTestServer) throws {
        self.server = server
        schema = try server.makeSchema()
    }

    init() throws {
        try self.init(server: PostgreSQLTestServer.shared())
    }

    /// Options with which nobody gives up waiting for a lock because the machine stood still.
    static var patient: PostgreSQLOptions {
        PostgreSQLOptions(statementTimeoutMilliseconds: 60_000, lockTimeoutMilliseconds: 60_000)
    }

    func open(
        _ options: PostgreSQLOptions = PostgreSQLFixture.patient,
        onProgress: @escaping MigrationProgress.Observer = { _ in }
    ) async throws -> PostgreSQLDatabase {
        try await PostgreSQLDatabase.open(
            url: server.url(schema: schema),
            options: options,
            onProgress: onProgress
        )
    }

    /// Runs SQL in the schema of the engines, on another connection.
    @discardableResult
    func run(_ statements: String) throws -> String? { try server.run(statements, schema: schema) }

    /// Runs SQL in a transaction, which ends once another connection has waited for it for some time.
    func run(_ statements: String, waitedForInSeconds seconds: Double) throws {
        try run(
            """
            BEGIN; \(statements);
            DO $$ BEGIN
                FOR look IN 1..6000 LOOP
                    EXIT WHEN EXISTS (
                        SELECT 1 FROM pg_locks WHERE NOT granted AND pg_backend_pid() = ANY (pg_blocking_pids(pid))
                    );
                    PERFORM pg_sleep(0.01);
                END LOOP;
                PERFORM pg_sleep(\(seconds));
            END $$;
            COMMIT
            """
        )
    }

    /// Ends every connection of the engines, like a restart of the server.
    func endConnections() throws {
        try run(
            """
            SELECT count(pg_terminate_backend(pid, 5000)) FROM pg_stat_activity
            WHERE application_name = 'perennial'
            """
        )
    }

    static func evidence(_ number: Int, bytes: Int = 100, header: String = "header") -> EvidenceRecord {
        EvidenceRecord(
            appID: app,
            id: EvidenceID("notification:\(number)"),
            kind: .notification,
            signedAt: Timestamp(milliseconds: 1),
            receivedAt: Timestamp(milliseconds: 2),
            signedBytes: Array("\(header).".utf8) + [UInt8](repeating: UInt8(ascii: "x"), count: bytes)
        )
    }

    static func customer(_ id: String, version: Int64 = 0) -> CustomerRecord {
        CustomerRecord(id: CustomerID(id), firstSeenAt: Timestamp(milliseconds: 1), stateVersion: version)
    }

    static let event = SubscriptionEvent(
        kind: .started,
        occurredAt: Timestamp(milliseconds: 1),
        purchaseID: OriginalTransactionID("1"),
        productID: ProductID("pro")
    )
}

extension SubscriptionDatabase {
    func insert(_ record: EvidenceRecord) async throws -> Bool {
        try await write { storage throws(StorageError) in try storage.insert(record) }
    }

    func save(_ record: CustomerRecord) async throws {
        try await write { storage throws(StorageError) in try storage.save(record, of: PostgreSQLFixture.app) }
    }

    func countUp(_ id: String) async throws {
        try await write { storage throws(StorageError) in try storage.countUp(id) }
    }

    func storedNotifications() async throws -> [EvidenceSummary] {
        try await read { storage throws(StorageError) in
            try storage.evidence(.notification, of: PostgreSQLFixture.app, after: 0, limit: 10_000).compactMap(
                \.summary
            )
        }
    }

    func version(of id: String) async throws -> Int64? {
        try await read { storage throws(StorageError) in
            try storage.customer(CustomerID(id), of: PostgreSQLFixture.app)?.stateVersion
        }
    }

    func eventSequences() async throws -> [Int64] {
        try await read { storage throws(StorageError) in
            try storage.events(of: PostgreSQLFixture.app, after: 0, limit: 10_000).map(\.sequence)
        }
    }
}

extension StorageWriting {
    /// Increments a customer's version and appends an event.
    func countUp(_ id: String) throws(StorageError) {
        let app = PostgreSQLFixture.app
        var customer = try customer(CustomerID(id), of: app) ?? PostgreSQLFixture.customer(id)
        customer.stateVersion += 1
        try save(customer, of: app)
        try append([PostgreSQLFixture.event], customer: customer, recordedAt: Timestamp(milliseconds: 2), app: app)
    }
}
