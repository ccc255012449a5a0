import AppStoreModel
import HTTPTypes
import PerennialPrimitives
import SubscriptionCore
import SubscriptionStorage
import SubscriptionStorageTesting
import Testing

@testable import SubscriptionOperations

/// A changed, missing, added or moved entry of the audit log is found.
@Suite struct `The chain of the audit log` {
    private static let app = ServerFixture.app

    /// A log of a few entries, with some of an erased customer.
    private static func log(_ count: Int, _ random: inout SplitMix64) -> [AuditEntry] {
        var (entries, head) = ([AuditEntry](), AuditHead?.none)
        func add(_ entry: AuditEntry) {
            var entry = entry
            let link = AuditChain.link(entry, app: app, after: head)
            entry.link = link
            head = AuditHead(sequence: link.sequence, digest: link.digest)
            entries.append(entry)
        }
        for number in 0..<count {
            add(
                AuditEntry(
                    id: AuditEntryID(rawValue: "aud_\(number)"),
                    occurredAt: Timestamp(milliseconds: Int64.random(in: 0...5, using: &random)),
                    actor: "key sk_…3f9a",
                    action: number == count - 1 ? "customer.erased" : "grant.created",
                    target: "customer:u_\(number % 3)",
                    before: Bool.random(using: &random) ? "{}" : nil,
                    after: Bool.random(using: &random) ? #"{"a":1}"# : nil,
                    requestID: Bool.random(using: &random) ? "req_\(number)" : nil
                )
            )
        }
        for index in entries.indices.dropLast() where entries[index].target == "customer:u_1" {
            entries[index].target = "customer (erased)"
            (entries[index].before, entries[index].after) = (nil, nil)
            entries[index].link?.salt = nil
        }
        return entries
    }

    /// An entry as they were before the chain.
    private static func unchained(_ number: Int) -> AuditEntry {
        AuditEntry(
            id: AuditEntryID(rawValue: "aud_\(number)"),
            occurredAt: Timestamp(milliseconds: Int64(number)),
            actor: "a",
            action: "b",
            target: "c"
        )
    }

    private static func codes(_ entries: [AuditEntry], head: AuditHead?) -> Set<AuditCheck.Finding.Code> {
        var check = AuditCheck(app, containing: [head].compactMap(\.self))
        for entry in entries { check.check(entry) }
        check.finish(hasEarlier: true)
        return Set(check.findings.map(\.code))
    }

    private static func head(of entries: [AuditEntry]) -> AuditHead? {
        entries.last?.link.map { AuditHead(sequence: $0.sequence, digest: $0.digest) }
    }

    @Test func `holds when nothing was changed, also as exported lines`() throws {
        var random = SplitMix64(seed: 1)
        for count in 1...20 {
            let entries = Self.log(count, &random)
            #expect(Self.codes(entries, head: Self.head(of: entries)) == [])
            let lines = entries.map { AuditLine.text(of: $0, app: Self.app) }
            let read = try lines.map { try #require(AuditLine.entry(of: Array($0.utf8))) }
            #expect(read.map(\.entry) == entries)
            #expect(read.allSatisfy { $0.app == Self.app })
        }
    }

    @Test func `an exported line without one of its members is no entry`() throws {
        var random = SplitMix64(seed: 6)
        let entry = try #require(Self.log(1, &random).first)
        let line = try JSONParser.parseObject(Array(AuditLine.text(of: entry, app: Self.app).utf8))
        for key in line.keys {
            var part = line
            part[key] = nil
            #expect(AuditLine.entry(of: part.serialize())?.entry == nil, "\(key)")
        }
    }

    @Test func `shows every changed field`() {
        var random = SplitMix64(seed: 2)
        let changes: [(inout AuditEntry) -> Void] = [
            { $0.id = AuditEntryID(rawValue: "aud_x") }, { $0.occurredAt = $0.occurredAt.adding(milliseconds: 1) },
            { $0.actor += "x" }, { $0.action += "x" },
            { $0.requestID = $0.requestID == nil ? "r" : nil }, { $0.link?.sequence += 1 },
            { $0.link?.previous[0] ^= 1 }, { $0.link?.content[0] ^= 1 }, { $0.link?.digest[0] ^= 1 },
            { $0.before = $0.before == nil ? "{}" : nil }, { $0.after = #"{"a":2}"# }, { $0.link?.salt = [1] },
            { $0.target += "x" },
        ]
        // The boundary between two fields is part of the digest.
        let swap: (inout AuditEntry) -> Void = {
            ($0.before, $0.after) = ($0.after.map { $0 + " " }, $0.before.map { $0 + " " })
        }
        for _ in 0..<20 {
            let entries = Self.log(8, &random)
            for index in entries.indices {
                for change in changes + (entries[index].link?.salt == nil ? [] : [swap]) {
                    var changed = entries
                    change(&changed[index])
                    guard changed != entries else { continue }
                    #expect(Self.codes(changed, head: Self.head(of: entries)) != [], "\(index)")
                }
            }
        }
    }

    @Test func `shows missing, swapped, repeated and added entries`() {
        var random = SplitMix64(seed: 3)
        for count in 4...12 {
            let entries = Self.log(count, &random)
            let head = Self.head(of: entries)
            for index in entries.indices {
                var fewer = entries
                fewer.remove(at: index)
                #expect(Self.codes(fewer, head: head).contains(.entriesMissing))
                var more = entries
                more.insert(entries[index], at: Int.random(in: index + 1...entries.count, using: &random))
                #expect(Self.codes(more, head: head).contains(.entryRepeated))
                let other = Int.random(in: entries.indices, using: &random)
                guard other != index else { continue }
                var swapped = entries
                swapped.swapAt(index, other)
                #expect(Self.codes(swapped, head: head).contains(.entryMisplaced))
                // The contents are swapped, and the positions stay.
                var exchanged = entries
                (exchanged[index].link, exchanged[other].link) = (entries[other].link, entries[index].link)
                exchanged.swapAt(index, other)
                #expect(Self.codes(exchanged, head: head).contains(.entryChanged))
            }
            // The end of a chain is only known from its head.
            #expect(Self.codes(Array(entries.dropLast()), head: nil).isSubset(of: [.entryEmptied]))
            var added = entries
            added.append(Self.unchained(1))
            #expect(Self.codes(added, head: head) == [.entryAdded])
        }
    }

    @Test func `shows an entry that was emptied without an erasure, and a replaced chain by its noted head`() {
        var random = SplitMix64(seed: 4)
        var entries = Self.log(5, &random)
        let head = Self.head(of: entries)
        let last = entries.count - 1
        entries[last].link?.salt = nil
        entries[last].before = nil
        entries[last].after = nil
        // Nothing was erased after the erasure itself.
        #expect(Self.codes(entries, head: head) == [.entryEmptied])
        let others = Self.log(5, &random)
        #expect(Self.codes(others, head: head) == [.headDiffers])
    }

    @Test(arguments: TestEngine.allCases)
    func `has no branch after writes at the same time, and holds after an erasure`(engine: TestEngine) async throws {
        let (database, close) = try await engine.open()
        let server = try await ServerFixture(database: database)
        await withTaskGroup(of: Void.self) { group in
            for number in 0..<24 {
                group.addTask {
                    let path = "/v1/customers/u_\(number % 6)/grants"
                    let body = #"{"entitlement_id":"pro","reason":"r\#(number)"}"#
                    let answer = try? await server.send(.post, path, body: body)
                    #expect(answer?.status == 200)
                }
            }
        }
        #expect(try await server.send(.delete, "/v1/customers/u_3").status == 200)
        #expect(try await server.send(.patch, "/v1/app", body: #"{"transfer_policy":"share"}"#).status == 200)
        let check = try await AuditVerification(database: database).check(Self.app, containing: [])
        #expect(check.findings == [])
        #expect(check.checked == 26)
        #expect(check.erased == 4)
        #expect(check.head?.sequence == 26)
        let shown = try await server.send(.get, "/v1/audit_log").objects("data").compactMap { $0["sequence"] }
        #expect(Set(shown) == Set((1...26).map { .integer($0) }))
        // Somebody changes a row of the table.
        try await database.write { storage throws(StorageError) in
            var entry = try storage.auditChain(of: Self.app, after: 6, limit: 1)[0]
            entry.actor = "nobody"
            try storage.save(entry, in: Self.app)
        }
        let changed = try await AuditVerification(database: database).check(Self.app, containing: [])
        #expect(changed.findings.map(\.code) == [.entryChanged])
        #expect(changed.findings.map(\.sequence) == [7])
        try await close()
    }

    @Test func `names the newest entry from before it, so that a later one without a position is found`() async throws {
        let server = try await ServerFixture()
        func insert(_ number: Int) async throws {
            try await server.database.write { storage throws(StorageError) in
                try storage.insert(Self.unchained(number), of: Self.app)
            }
        }
        for number in 0..<3 { try await insert(number) }
        let verification = AuditVerification(database: server.database)
        for policy in ["share", "keep"] {
            let body = #"{"transfer_policy":"\#(policy)"}"#
            #expect(try await server.send(.patch, "/v1/app", body: body).status == 200)
        }
        let check = try await verification.check(Self.app, containing: [])
        #expect(check.findings == [] && check.checked == 3 && check.earlier == 3)
        try await insert(3)
        let more = try await verification.check(Self.app, containing: [])
        #expect(more.findings.map(\.code) == [.entryAdded])
    }

    @Test func `has no change without an entry, also when the head is behind or missing`() async throws {
        let server = try await ServerFixture()
        func change(_ policy: String) async throws -> Answer {
            try await server.send(.patch, "/v1/app", body: #"{"transfer_policy":"\#(policy)"}"#)
        }
        for policy in ["share", "keep"] { #expect(try await change(policy).status == 200) }
        try await server.database.write { storage throws(StorageError) in
            try storage.remove(AuditHead.self, TableLookup(of: Self.app, equal: [.string("audit")]))
        }
        let refused = try await change("share")
        #expect(refused.status == 503)
        #expect(try refused.errorCode() == "storage_corrupt")
        #expect(try await server.send(.get, "/v1/app").string("transfer_policy") == "keep")
        let check = try await AuditVerification(database: server.database).check(Self.app, containing: [])
        #expect(check.findings.map(\.code) == [.headMissing])
    }

    @Test func `is checked with any position`() {
        var random = SplitMix64(seed: 5)
        var entries = Self.log(3, &random)
        entries[1].link?.sequence = .max
        #expect(Self.codes(entries, head: nil) != [])
    }
}
