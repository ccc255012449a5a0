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

    /// What a check finds in a chain of entries with these actions and values. The grants were emptied.
    private static func findings(_ values: [(action: String, after: String?)]) -> [AuditCheck.Finding] {
        var (check, head) = (AuditCheck(app), AuditHead?.none)
        for (number, value) in values.enumerated() {
            var entry = AuditEntry(
                id: AuditEntryID(rawValue: "aud_\(number)"),
                occurredAt: Timestamp(milliseconds: Int64(number)),
                actor: "key sk_…3f9a",
                action: value.action,
                target: "customer (erased)",
                after: value.after
            )
            let link = AuditChain.link(entry, app: app, after: head)
            head = AuditHead(sequence: link.sequence, digest: link.digest)
            entry.link = link
            if value.action == "grant.created" { entry.link?.salt = nil }
            check.check(entry)
        }
        check.finish(hasEarlier: true)
        return check.findings
    }

    @Test func `is explained by any later erasure of a version that did not name the entries`() {
        let findings = Self.findings([("grant.created", nil), ("customer.erased", nil), ("grant.created", nil)])
        #expect(findings.map(\.code) == [.entryEmptied])
        #expect(findings.map(\.sequence) == [3])
    }

    @Test func `is not explained by an erasure that names nothing after one that names its entries`() {
        let findings = Self.findings([
            ("grant.created", nil), ("customer.erased", nil), ("grant.created", nil),
            ("customer.erased", #"{"emptied":[3]}"#), ("grant.created", nil), ("customer.erased", nil),
        ])
        #expect(findings.map(\.code) == [.entryEmptied, .erasureUnnamed])
        #expect(findings.map(\.sequence) == [5, 6])
        let empty = Self.findings([("customer.erased", #"{"emptied":[]}"#), ("customer.erased", "{}")])
        #expect(empty.map(\.code) == [.erasureUnnamed])
        #expect(empty.map(\.sequence) == [2])
    }

    /// Entries without a position by action and value, and whether that is a finding.
    private static let unlinked: [(action: String, after: String?, isFound: Bool)] = [
        ("key.rotated", nil, true), ("operator.signed_in", nil, true), ("attributes.changed", nil, true),
        ("key.created", #"{"kind":"secret","scope":"read"}"#, true), ("key.created", #"{"kind":"secret"}"#, false),
        ("customer.erased", #"{"emptied":[]}"#, true), ("customer.erased", nil, false),
        ("webhook_endpoint.created", #"{"url":"https://example.com","url_sha256":"00"}"#, true),
        ("webhook_endpoint.created", #"{"url":"https://example.com/a"}"#, false),
        ("grant.created", #"{"scope":"x","emptied":[]}"#, false), ("something.else", "not JSON", false),
    ]

    @Test(arguments: unlinked)
    func `is no link: only a version before the chain left an entry without a position`(
        action: String,
        after: String?,
        isFound: Bool
    ) {
        var check = AuditCheck(Self.app)
        check.check(
            AuditEntry(
                id: AuditEntryID(rawValue: "aud_1"),
                occurredAt: Timestamp(milliseconds: 1),
                actor: "key sk_…3f9a",
                action: action,
                target: "app",
                after: after
            )
        )
        check.finish(hasEarlier: true, hasHead: false)
        #expect(check.isUnlinked)
        #expect(check.findings.map(\.code) == (isFound ? [.entryUnlinked] : []))
    }

    @Test func `is no link: a key with a scope, an end or a replacement shows that there was a chain`() async throws {
        for change in [#"{"scope":"read"}"#, #"{"scope":"admin","expires_at":4000000000000}"#] {
            let server = try await ServerFixture()
            #expect(try await Self.findings(server) == [])
            #expect(try await server.send(.post, "/v1/api_keys", body: change).status == 201)
            #expect(try await Self.findings(server) == [])
            // Somebody removes the log and its head, and then leaves an entry as of an earlier version.
            let entries = try await Self.entries(server)
            try await server.database.write { storage throws(StorageError) in
                try storage.remove(AuditHead.self, TableLookup(of: Self.app, equal: [.string("audit")]))
                for entry in entries {
                    try storage.remove(AuditEntry.self, TableLookup(of: Self.app, equal: [.text(entry.id)]))
                }
            }
            #expect(try await Self.findings(server).map(\.code) == [.entriesMissing])
            let earlier = AuditEntry(
                id: AuditEntryID(rawValue: "aud_1"),
                occurredAt: Timestamp(milliseconds: 1),
                actor: "key sk_…3f9a",
                action: "grant.created",
                target: "customer:u_1"
            )
            try await server.database.write { storage throws(StorageError) in
                try storage.insert(earlier, of: Self.app)
            }
            #expect(try await Self.findings(server).map(\.code) == [.entryUnlinked])
        }
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
        // The new key has a scope, and the erasure names what it emptied: versions before the chain wrote neither.
        #expect(check.findings.map(\.code) == [.entryUnlinked])
        #expect(check.findings.first?.message.hasPrefix("2 entries, ") == true)
        let linked = try await AuditVerification(database: server.database).check(Self.app, containing: [])
        #expect(!linked.isUnlinked)
        let empty = try await AuditVerification(database: InMemoryDatabase()).check(Self.app, containing: [])
        #expect(!empty.isUnlinked)
    }
}
