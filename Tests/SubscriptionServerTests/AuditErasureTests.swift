import HTTPTypes
import SubscriptionCore
import SubscriptionStorage
import SubscriptionStorageTesting
import Testing

@testable import SubscriptionOperations

/// Entries of the audit log that have no content. Somebody who can write to the database can make them so.
@Suite struct `An emptied entry of the audit log` {
    private static let app = ServerFixture.app

    /// A server with an endless key, two customers with a grant each, a transfer, and an erasure of `u_1`.
    private static func server() async throws -> ServerFixture {
        let server = try await ServerFixture()
        let grant = #"{"entitlement_id":"pro","reason":"asked by phone"}"#
        let period = SignedApple.period(id: "2000000000000001", original: "2000000000000001")
        #expect(try await server.submit(try server.apple.sign(period), customer: "u_1").status == 200)
        #expect(try await server.send(.post, "/v1/api_keys", body: #"{"scope":"admin"}"#).status == 201)
        for name in ["u_1", "u_2"] {
            #expect(try await server.send(.post, "/v1/customers/\(name)/grants", body: grant).status == 200)
        }
        #expect(try await server.send(.post, "/v1/transfers", body: #"{"from":"u_1","to":"u_3"}"#).status == 200)
        #expect(try await server.send(.delete, "/v1/customers/u_1").status == 200)
        return server
    }

    private static func entries(_ server: ServerFixture) async throws -> [AuditEntry] {
        try await server.database.read { storage throws(StorageError) in
            try storage.auditChain(of: app, after: 0, limit: 100)
        }
    }

    /// Removes the content of an entry as an erasure does.
    private static func empty(_ action: AuditedAction, of target: String?, as new: String, _ server: ServerFixture)
        async throws -> Int64
    {
        let found = try await entries(server).first { entry in
            entry.action == action.rawValue && entry.link?.salt != nil && (target ?? entry.target) == entry.target
        }
        var entry = try #require(found)
        let sequence = try #require(entry.link?.sequence)
        entry.target = new
        (entry.before, entry.after) = (nil, nil)
        entry.link?.salt = nil
        try await server.database.write { [entry] storage throws(StorageError) in try storage.save(entry, in: app) }
        return sequence
    }

    private static func findings(_ server: ServerFixture) async throws -> [AuditCheck.Finding] {
        try await AuditVerification(database: server.database).check(app, containing: []).findings
    }

    @Test func `is named by the erasure that emptied it`() async throws {
        let server = try await Self.server()
        #expect(try await Self.findings(server) == [])
        let entries = try await Self.entries(server)
        let actions = ["key.created", "grant.created", "grant.created", "transfer.made", "customer.erased"]
        #expect(entries.map(\.action) == actions)
        #expect(entries.map { $0.link?.salt == nil } == [false, true, false, true, false])
        #expect(entries.last?.after == #"{"emptied":[2,4]}"#)
        // The transfer has no content any more, so this erasure names only the grant.
        #expect(try await server.send(.delete, "/v1/customers/u_3").status == 200)
        #expect(try await server.send(.delete, "/v1/customers/u_2").status == 200)
        #expect(try await server.send(.delete, "/v1/customers/nobody").status == 200)
        let values = try await Self.entries(server).dropFirst(5).map(\.after)
        #expect(values == [#"{"emptied":[]}"#, #"{"emptied":[3]}"#, #"{"emptied":[]}"#])
        #expect(try await Self.findings(server) == [])
    }

    @Test func `is found if no erasure names it, though one follows`() async throws {
        let server = try await Self.server()
        let grant = try await Self.empty(.grantCreated, of: "customer:u_2", as: "customer (erased)", server)
        let findings = try await Self.findings(server)
        #expect(findings.map(\.code) == [.entryEmptied])
        #expect(findings.map(\.sequence) == [grant])
    }

    @Test(arguments: ["customer (erased)", "customer:u_2", "key:sk_…0000", "transfer:tr_1", "purchase:1"])
    func `is found if no erasure leaves its action and target`(target: String) async throws {
        let server = try await Self.server()
        let key = try await Self.empty(.keyCreated, of: nil, as: target, server)
        let findings = try await Self.findings(server)
        #expect(findings.map(\.code) == [.entryEmptied])
        #expect(findings.map(\.sequence) == [key])
    }

    @Test func `is found if its target was changed so that a later erasure empties it`() async throws {
        let server = try await Self.server()
        let found = try await Self.entries(server).first { $0.target == "customer:u_2" }
        var entry = try #require(found)
        entry.target = "customer:u_3"
        try await server.database.write { [entry] storage throws(StorageError) in
            try storage.save(entry, in: Self.app)
        }
        #expect(try await server.send(.delete, "/v1/customers/u_3").status == 200)
        let last = try await Self.entries(server).last
        #expect(last?.after == #"{"emptied":[]}"#)
        let findings = try await Self.findings(server)
        #expect(findings.map(\.code) == [.entryEmptied])
        #expect(findings.map(\.sequence) == [entry.link?.sequence])
    }

    @Test func `is found if it is the erasure's own`() async throws {
        let server = try await Self.server()
        _ = try await Self.empty(.customerErased, of: nil, as: "customer (erased)", server)
        let sequences = try await Self.findings(server).map(\.sequence)
        #expect(sequences == [2, 4, 5])
    }

    @Test func `is explained by any later erasure of a version that did not name the entries`() {
        func entry(_ number: Int, _ action: String, after head: AuditHead?) -> AuditEntry {
            var entry = AuditEntry(
                id: AuditEntryID(rawValue: "aud_\(number)"),
                occurredAt: Timestamp(milliseconds: Int64(number)),
                actor: "key sk_…3f9a",
                action: action,
                target: "customer (erased)"
            )
            entry.link = AuditChain.link(entry, app: Self.app, after: head)
            return entry
        }
        var (entries, head) = ([AuditEntry](), AuditHead?.none)
        for (number, action) in ["grant.created", "customer.erased", "grant.created"].enumerated() {
            let new = entry(number, action, after: head)
            head = new.link.map { AuditHead(sequence: $0.sequence, digest: $0.digest) }
            entries.append(new)
        }
        for index in [0, 2] { entries[index].link?.salt = nil }
        var check = AuditCheck(Self.app)
        for entry in entries { check.check(entry) }
        check.finish(hasEarlier: true)
        #expect(check.findings.map(\.code) == [.entryEmptied])
        #expect(check.findings.map(\.sequence) == [3])
    }

    @Test func `is no link: a log without positions is called unlinked`() async throws {
        let server = try await Self.server()
        let all = try await Self.entries(server)
        var check = AuditCheck(Self.app)
        for var entry in all {
            entry.link = nil
            check.check(entry)
        }
        check.finish(hasEarlier: true, hasHead: false)
        #expect(check.isUnlinked)
        let linked = try await AuditVerification(database: server.database).check(Self.app, containing: [])
        #expect(!linked.isUnlinked)
        let empty = try await AuditVerification(database: InMemoryDatabase()).check(Self.app, containing: [])
        #expect(!empty.isUnlinked)
    }
}
