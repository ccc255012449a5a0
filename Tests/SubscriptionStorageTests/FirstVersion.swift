import Foundation
import GRDB
import SubscriptionCore
import SubscriptionStorage
import Testing

/// A database of the first version, from `Fixtures/databases`. It contains three customers, a purchase that two of
/// them submitted, a grant, and a transfer. One customer has an account token and a declined card.
enum FirstVersion {
    /// The SQL statements that create the first version's database for an engine.
    static func dump(_ engine: String) throws -> String {
        try String(
            contentsOf: URL(filePath: #filePath).deletingLastPathComponent()
                .appending(path: "../../Fixtures/databases/first-version-\(engine).sql").standardizedFileURL,
            encoding: .utf8
        )
    }

    /// The tables whose rows became facts in the rows of purchases.
    static let factTables = ["transaction_facts", "renewal_facts", "status_facts"]

    /// The values of a row by column name, without nulls.
    static func values(of row: Row) -> [String: String] {
        var values: [String: String] = [:]
        for (name, value) in row where !value.isNull { values[name] = "\(value.storage.value ?? "")" }
        return values
    }

    /// The values of a row of the fact tables with their column names, without nulls.
    static func text(of row: Row) -> String { text(values(of: row).map { ($0, $1) }) }

    /// The same text as ``text(of:)``, from a row as JSON.
    static func text(ofJSON row: String) throws -> String {
        let object = try JSONSerialization.jsonObject(with: Data(row.utf8)) as? [String: Any] ?? [:]
        return text(
            object.map { name, value in (name, (value as? String) ?? (value as? NSNumber).map { "\($0.int64Value)" }) }
        )
    }

    private static func text(_ values: [(name: String, value: String?)]) -> String {
        values.compactMap { name, value in value.map { "\(name)=\($0)" } }.sorted().joined(separator: " ")
    }

    /// Every signed input in the table of the first version. The headers are numbered by app.
    static let evidence = """
        SELECT e.sequence AS sequence, e.evidence_id AS id, e.kind AS kind, e.type AS type, e.subtype AS subtype,
            e.original_transaction_id AS purchase, e.signed_at AS signed, e.received_at AS received,
            HEX(h.bytes) AS header, HEX(e.remainder) AS remainder
        FROM evidence e LEFT JOIN evidence_headers h ON h.app_id = e.app_id AND h.header_id = e.header_id
        ORDER BY e.app_id, e.sequence
        """

    /// Requires that a database contains these inputs with the same sequence numbers and the same bytes.
    static func checkEvidence(_ rows: [[String: String]], in database: any SubscriptionDatabase) async throws {
        let app = AppID("com.example.perennial/sandbox")
        for row in rows {
            let id = EvidenceID(try #require(row["id"]))
            let (stored, summary, ofPurchase) = try await database.read { storage throws(StorageError) in
                let stored = try storage.evidence(id, of: app)
                guard let stored else { return (nil as EvidenceRecord?, [FoundSummary](), [SequencedEvidence]()) }
                let sequence = (row["sequence"].flatMap(Int64.init) ?? 0) - 1
                let list = try storage.evidence(stored.kind, of: app, after: sequence, limit: 1)
                guard let purchase = stored.purchaseID else { return (stored, list, []) }
                return (stored, list, try storage.evidence(about: purchase, of: app, after: sequence, limit: 1))
            }
            let record = try #require(stored)
            #expect(record.kind.rawValue == row["kind"])
            #expect(
                [record.type, record.subtype, record.purchaseID?.rawValue] == [
                    row["type"], row["subtype"], row["purchase"],
                ]
            )
            #expect(String(record.signedAt.milliseconds) == row["signed"])
            #expect(String(record.receivedAt.milliseconds) == row["received"])
            #expect(summary.map { String($0.sequence) } == [row["sequence"]])
            #expect(summary.map(\.summary?.id) == [id])
            if record.purchaseID != nil { #expect(ofPurchase.map(\.record) == [record]) }
            let joined = SplitJWS.joined(header: bytes(row["header"]), remainder: bytes(row["remainder"]) ?? [])
            #expect(joined == record.signedBytes)
        }
    }

    private static func bytes(_ digits: String?) -> [UInt8]? {
        guard let digits = digits.map({ Array($0.utf8) }) else { return nil }
        return stride(from: 0, to: digits.count, by: 2).map { index in
            UInt8(String(decoding: digits[index..<(index + 2)], as: UTF8.self), radix: 16) ?? 0
        }
    }

    /// The facts in a database in the format of ``text(of:)``, sorted.
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

    /// The records that this version reads.
    private struct Records: Sendable {
        var customers: [CustomerRecord] = []
        var purchases: [PurchaseRecord] = []
        var claims: [ClaimRecord] = []
        var grants: [GrantRecord] = []
        var transfers: [TransferRecord] = []
        var definitions: [EntitlementDefinition] = []
        var settings = AppSettings(transferPolicy: .share)
    }

    /// Reads all records with new columns, and writes a record that the tables of the first version would have refused.
    static func check(_ database: any SubscriptionDatabase) async throws {
        let app = AppID("com.example.perennial/sandbox")
        let records = try await database.read { storage throws(StorageError) in
            var records = Records()
            records.customers = try storage.customers(of: app, after: nil, limit: 100)
            for customer in records.customers.map(\.id) {
                records.purchases += try storage.purchases(of: customer, app: app)
                records.grants += try storage.grants(of: customer, app: app)
                records.transfers += try storage.transfers(of: customer, app: app)
            }
            for purchase in records.purchases.map(\.id) { records.claims += try storage.claims(on: purchase, app: app) }
            records.definitions = try storage.entitlementDefinitions(of: app)
            records.settings = try storage.settings(of: app)
            return records
        }
        #expect(records.customers.map(\.id.rawValue).suffix(2) == ["u_ben", "u_new"])
        #expect(records.customers.count == 3)
        #expect(records.customers.allSatisfy { $0.profile.isEmpty && $0.stateVersion > 0 })
        #expect(records.purchases.count == 3)
        #expect(records.purchases.allSatisfy { $0.state != nil })
        #expect(records.claims.map(\.customerID.rawValue).sorted() == ["u_ben", "u_ben", "u_thief"])
        #expect(records.claims.allSatisfy { $0.policy == .keep })
        #expect(records.grants.count == 1)
        #expect(records.transfers.count == 2, "once for each of the two customers")
        let products = [ProductID("lifetime"), ProductID("pro.monthly")]
        #expect(records.definitions == [EntitlementDefinition(id: EntitlementID("pro"), productIDs: products)])
        #expect(records.settings == AppSettings())

        // The first version had no end of billing retry. The state is evaluated again at once.
        let due = try await database.read { storage throws(StorageError) in
            try storage.duePurchases(until: Timestamp(milliseconds: 1_770_454_800_000), limit: 100)
        }
        #expect(due.map(\.id.rawValue) == ["2000000000000001"])

        let claim = try #require(records.claims.first)
        let counts = try await database.write { storage throws(StorageError) in
            try storage.insert(claim, of: app)
            let inserted = try storage.claims(on: claim.purchaseID, app: app).count
            try storage.append(claim, of: app)
            return [inserted, try storage.claims(on: claim.purchaseID, app: app).count]
        }
        let before = records.claims.count { $0.purchaseID == claim.purchaseID }
        #expect(counts == [before, before + 1])
    }
}
