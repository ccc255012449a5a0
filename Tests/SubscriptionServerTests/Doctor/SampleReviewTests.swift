import SubscriptionCore
import SubscriptionOperations
import SubscriptionStorage
import Testing

@testable import SubscriptionServer

/// `perennial doctor` derives a sample of the data again.
@Suite struct `The sample review of perennial doctor` {
    private static let purchases = 3

    /// A server with some purchases, each from a notification.
    private static func server(on database: any SubscriptionDatabase) async throws -> ServerFixture {
        let server = try await ServerFixture(database: database)
        for number in 1...purchases {
            let id = "200000000000000\(number)"
            let transaction = SignedApple.period(id: id, original: id)
            let uuid = "5b0f7a52-6d0c-4d0e-9f55-0c6f5c1d2a1\(number)"
            let answer = try await server.notify(try server.apple.notification(uuid, transaction: transaction))
            #expect(answer.status == 200)
        }
        return server
    }

    private static func finding(_ server: ServerFixture, newestSequence: Int64 = 3) async -> DoctorFinding {
        let review = SampleReview(
            app: ServerFixture.app,
            database: server.database,
            policy: AccessPolicy(),
            newestSequence: newestSequence
        )
        return await review.finding()
    }

    @Test(arguments: TestEngine.allCases)
    func `finds nothing in what a server stored, and changes nothing`(engine: TestEngine) async throws {
        let (database, close) = try await engine.open()
        let server = try await Self.server(on: database)
        let before = try await Self.rows(database)
        let finding = await Self.finding(server)
        #expect(finding.status == .ok)
        #expect(finding.message == "A sample of 3 inputs and 3 purchases follows from the stored evidence.")
        #expect(finding.subject == ServerFixture.app.rawValue)
        #expect(try await Self.rows(database) == before)
        try await close()
    }

    @Test(arguments: TestEngine.allCases)
    func `finds a changed state and names its purchase`(engine: TestEngine) async throws {
        let (database, close) = try await engine.open()
        let server = try await Self.server(on: database)
        let damaged = try #require(try await Self.rows(database).last)
        try await Self.clearState(damaged, database)
        let finding = await Self.finding(server)
        #expect(finding.status == .problem)
        #expect(finding.code == "sample_differs")
        #expect(finding.message.contains("state_differs of purchase \(damaged.id.rawValue)"))
        #expect(finding.remedy?.contains("perennial rebuild --verify") == true)
        try await close()
    }

    @Test(arguments: TestEngine.allCases)
    func `finds a lost fact only among the newest inputs`(engine: TestEngine) async throws {
        let (database, close) = try await engine.open()
        let server = try await Self.server(on: database)
        let damaged = try #require(try await Self.rows(database).first)
        try await database.write { storage throws(StorageError) in
            try storage.removeFacts(damaged.ledger, clearsState: true, of: ServerFixture.app)
        }
        let found = await Self.finding(server)
        #expect(found.message.contains("fact_missing of purchase \(damaged.id.rawValue)"))
        // A page begins after the inputs before the newest ones.
        let later = await Self.finding(server, newestSequence: 3 + Int64(RebuildVerification.inputsPerPage))
        #expect(later.message == "A sample of 0 inputs and 0 purchases follows from the stored evidence.")
        try await close()
    }

    @Test(arguments: TestEngine.allCases)
    func `has the purchases of the newest inputs instead of the lowest identifiers`(engine: TestEngine) async throws {
        let (database, close) = try await engine.open()
        let server = try await Self.server(on: database)
        let rows = try await Self.rows(database)
        let (oldest, newest) = (try #require(rows.first), try #require(rows.last))
        let sequence = 2 + Int64(RebuildVerification.inputsPerPage)
        try await Self.clearState(oldest, database)
        let unharmed = await Self.finding(server, newestSequence: sequence)
        #expect(unharmed.message == "A sample of 1 inputs and 1 purchases follows from the stored evidence.")
        try await Self.clearState(newest, database)
        let found = await Self.finding(server, newestSequence: sequence)
        #expect(found.message.contains("the first: state_differs of purchase \(newest.id.rawValue)"))
        try await close()
    }

    @Test(arguments: TestEngine.allCases)
    func `names an input that cannot be read, and does not advise a repair`(engine: TestEngine) async throws {
        let (database, close) = try await engine.open()
        let server = try await Self.server(on: database)
        let damaged = EvidenceRecord(
            appID: ServerFixture.app,
            id: EvidenceID("transaction:damaged"),
            kind: .transaction,
            signedAt: Timestamp(milliseconds: 1),
            receivedAt: Timestamp(milliseconds: 2),
            signedBytes: Array("e30.e30.AA".utf8)
        )
        try await database.write { storage throws(StorageError) in _ = try storage.insert(damaged) }
        let finding = await Self.finding(server)
        #expect(finding.status == .problem)
        #expect(finding.message.contains("evidence_unreadable, input transaction:damaged."))
        #expect(finding.remedy?.contains("copy their rows from a backup") == true)
        #expect(finding.remedy?.contains("--apply") == false)
        try await close()
    }

    @Test func `an empty database has nothing to compare`() async throws {
        let finding = await Self.finding(try await ServerFixture(), newestSequence: 0)
        #expect(finding.status == .ok)
        #expect(finding.message == "A sample of 0 inputs and 0 purchases follows from the stored evidence.")
    }

    @Test func `a database that cannot be read is a problem with a remedy`() async throws {
        let server = try await ServerFixture()
        let review = SampleReview(
            app: ServerFixture.app,
            database: UnreadableDatabase(base: server.database),
            policy: AccessPolicy(),
            newestSequence: 0
        )
        let finding = await review.finding()
        #expect(finding.status == .problem)
        #expect(finding.message.hasPrefix("The sample could not be read: "))
        #expect(finding.remedy == "Check the database, or restore a backup.")
    }

    @Test func `a damaged database is a problem whose remedy names the damage`() async throws {
        let server = try await ServerFixture()
        let error = StorageError(.corrupt, "A stored value cannot be read.", isRetryable: false)
        let review = SampleReview(
            app: ServerFixture.app,
            database: UnreadableDatabase(base: server.database, error: error),
            policy: AccessPolicy(),
            newestSequence: 0
        )
        let finding = await review.finding()
        #expect(finding.code == "storage_corrupt")
        #expect(finding.remedy?.contains("perennial rebuild --verify") == true)
    }

    /// Removes the derived state of a purchase.
    private static func clearState(_ row: PurchaseRow, _ database: any SubscriptionDatabase) async throws {
        var record = try #require(row.record)
        record.state = nil
        try await database.write { [record] storage throws(StorageError) in
            try storage.save(record, of: ServerFixture.app)
        }
    }

    private static func rows(_ database: any SubscriptionDatabase) async throws -> [PurchaseRow] {
        try await database.read { storage throws(StorageError) in
            try storage.purchaseRows(of: ServerFixture.app, after: nil, limit: 10)
        }
    }
}

/// A database whose reads fail.
private struct UnreadableDatabase: SubscriptionDatabase {
    let base: any SubscriptionDatabase
    var error = StorageError(.unavailable, "The database does not answer.", isRetryable: true)

    func read<Result: Sendable>(
        _ body: @escaping @Sendable (any StorageReading) throws(StorageError) -> Result
    ) async throws(StorageError) -> Result {
        throw error
    }

    func write<Result: Sendable>(
        _ body: @escaping @Sendable (any StorageWriting) throws(StorageError) -> Result
    ) async throws(StorageError) -> Result {
        try await base.write(body)
    }

    func close() async throws(StorageError) { try await base.close() }
}
