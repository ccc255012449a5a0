import Foundation
import GRDB
import SubscriptionCore
import SubscriptionStorage
import Testing

/// What the first version wrote, from `Fixtures/databases`: three customers, one of them by an account token, whose
/// card was declined; a purchase that two submitted; a grant; a transfer.
enum FirstVersion {
    /// The statements that make a database of an engine as the first version left it.
    static func dump(_ engine: String) throws -> String {
        try String(
            contentsOf: URL(filePath: #filePath).deletingLastPathComponent()
                .appending(path: "../../Fixtures/databases/first-version-\(engine).sql").standardizedFileURL,
            encoding: .utf8
        )
    }

    /// The tables whose rows are facts in the rows of purchases since.
    static let factTables = ["transaction_facts", "renewal_facts", "status_facts"]

    /// Every value of a row, by the name of its column; nulls are left out.
    static func values(of row: Row) -> [String: String] {
        var values: [String: String] = [:]
        for (name, value) in row where !value.isNull { values[name] = "\(value.storage.value ?? "")" }
        return values
    }

    /// Every value of a row of those tables, by the name of its column; nulls are left out.
    static func text(of row: Row) -> String { text(values(of: row).map { ($0, $1) }) }

    /// As ``text(of:)``.
    static func text(ofJSON row: String) throws -> String {
        let object = try JSONSerialization.jsonObject(with: Data(row.utf8)) as? [String: Any] ?? [:]
        return text(
            object.map { name, value in (name, (value as? String) ?? (value as? NSNumber).map { "\($0.int64Value)" }) }
        )
    }

    private static func text(_ values: [(name: String, value: String?)]) -> String {
        values.compactMap { name, value in value.map { "\(name)=\($0)" } }.sorted().joined(separator: " ")
    }

    /// Every signed input in a table of the first version; the headers are numbered by app.
    static let evidence = """
        SELECT e.sequence AS sequence, e.evidence_id AS id, e.kind AS kind, e.type AS type, e.subtype AS subtype,
            e.original_transaction_id AS purchase, e.signed_at AS signed, e.received_at AS received,
            HEX(h.bytes) AS header, HEX(e.remainder) AS remainder
        FROM evidence e LEFT JOIN evidence_headers h ON h.app_id = e.app_id AND h.header_id = e.header_id
        ORDER BY e.app_id, e.sequence
        """

    /// Requires that a database holds these inputs, each at its place and byte for byte.
    static func checkEvidence(_ rows: [[String: String]], in database: any SubscriptionDatabase) async throws {
        let app = AppID("com.example.perennial/sandbox")
        for row in rows {
            let id = EvidenceID(try #require(row["id"]))
            let (held, summary, ofPurchase) = try await database.read { storage throws(StorageError) in
                let held = try storage.evidence(id, of: app)
                guard let held else { return (nil as EvidenceRecord?, [EvidenceSummary](), [SequencedEvidence]()) }
                let place = (row["sequence"].flatMap(Int64.init) ?? 0) - 1
                let list = try storage.evidence(held.kind, of: app, after: place, limit: 1)
                guard let purchase = held.purchaseID else { return (held, list, []) }
                return (held, list, try storage.evidence(about: purchase, of: app, after: place, limit: 1))
            }
            let record = try #require(held)
            #expect(record.kind.rawValue == row["kind"])
            #expect(
                [record.type, record.subtype, record.purchaseID?.rawValue] == [
                    row["type"], row["subtype"], row["purchase"],
                ]
            )
            #expect(String(record.signedAt.milliseconds) == row["signed"])
            #expect(String(record.receivedAt.milliseconds) == row["received"])
            #expect(summary.map { String($0.sequence) } == [row["sequence"]])
            #expect(summary.map(\.id) == [id])
            if record.purchaseID != nil { #expect(ofPurchase.map(\.record) == [record]) }
            let joined = SplitJWS.joined(header: bytes(row["header"]), remainder: bytes(row["remainder"]) ?? [])
            #expect(joined == record.signedBytes)
        }
    }

    private static func bytes(_ digits: String?) -> [UInt8]? {
        guard let digits = digits.map({ Array($0.utf8) }) else { return nil }
        return stride(from: 0, to: digits.count, by: 2).map { place in
            UInt8(String(decoding: digits[place..<(place + 2)], as: UTF8.self), radix: 16) ?? 0
        }
    }

    /// Every fact in a database as ``text(of:)`` has it, in order.
    static func facts(in database: any SubscriptionDatabase) async throws -> [String] {
        let app = AppID("com.example.perennial/sandbox")
        let facts = try await database.read { storage throws(StorageError) in
            var facts: [Fact] = []
            for number in 1...4 {
                facts += try storage.ledger(of: OriginalTransactionID("200000000000000\(number)"), app: app).facts
            }
            return facts
        }
        return facts.map { fact in
            let (names, values) =
                switch fact {
                case .transaction(let fact): (FactColumns.transaction, fact.columns)
                case .renewal(let fact): (FactColumns.renewal, fact.columns)
                case .status(let fact): (FactColumns.status, fact.columns)
                }
            let columns = names.split(separator: ", ").map(String.init)
            return text([("app_id", app.rawValue)] + zip(columns, values).map { ($0, text(of: $1)) })
        }.sorted()
    }

    private static func text(of value: ColumnValue) -> String? {
        switch value {
        case .null: nil
        case .string(let text): text
        case .number(let number): String(number)
        case .truth(let truth): truth ? "1" : "0"
        case .blob(let bytes): "\(Array(bytes))"
        }
    }

    /// What later versions read of it.
    private struct Held: Sendable {
        var customers: [CustomerRecord] = []
        var purchases: [PurchaseRecord] = []
        var claims: [ClaimRecord] = []
        var grants: [GrantRecord] = []
        var transfers: [TransferRecord] = []
        var definitions: [EntitlementDefinition] = []
        var settings = AppSettings(transferPolicy: .share)
    }

    /// Reads everything that has new columns since, and writes what the first version's tables would have refused.
    static func check(_ database: any SubscriptionDatabase) async throws {
        let app = AppID("com.example.perennial/sandbox")
        let held = try await database.read { storage throws(StorageError) in
            var held = Held()
            held.customers = try storage.customers(of: app, after: nil, limit: 100)
            for customer in held.customers.map(\.id) {
                held.purchases += try storage.purchases(of: customer, app: app)
                held.grants += try storage.grants(of: customer, app: app)
                held.transfers += try storage.transfers(of: customer, app: app)
            }
            for purchase in held.purchases.map(\.id) { held.claims += try storage.claims(on: purchase, app: app) }
            held.definitions = try storage.entitlementDefinitions(of: app)
            held.settings = try storage.settings(of: app)
            return held
        }
        #expect(held.customers.map(\.id.rawValue).suffix(2) == ["u_ben", "u_new"])
        #expect(held.customers.count == 3)
        #expect(held.customers.allSatisfy { $0.profile.isEmpty && $0.stateVersion > 0 })
        #expect(held.purchases.count == 3)
        #expect(held.purchases.allSatisfy { $0.state != nil })
        #expect(held.claims.map(\.customerID.rawValue).sorted() == ["u_ben", "u_ben", "u_thief"])
        #expect(held.claims.allSatisfy { $0.policy == .keep })
        #expect(held.grants.count == 1)
        #expect(held.transfers.count == 2, "once for each of the two customers")
        let products = [ProductID("lifetime"), ProductID("pro.monthly")]
        #expect(held.definitions == [EntitlementDefinition(id: EntitlementID("pro"), productIDs: products)])
        #expect(held.settings == AppSettings())

        // What was in billing retry had no end by the clock: it is derived again at once.
        let due = try await database.read { storage throws(StorageError) in
            try storage.duePurchases(until: Timestamp(milliseconds: 1_770_454_800_000), limit: 100)
        }
        #expect(due.map(\.id.rawValue) == ["2000000000000001"])

        let claim = try #require(held.claims.first)
        let counts = try await database.write { storage throws(StorageError) in
            try storage.insert(claim, of: app)
            let inserted = try storage.claims(on: claim.purchaseID, app: app).count
            try storage.append(claim, of: app)
            return [inserted, try storage.claims(on: claim.purchaseID, app: app).count]
        }
        let before = held.claims.count { $0.purchaseID == claim.purchaseID }
        #expect(counts == [before, before + 1])
    }
}
