import AppStoreSigning
import Testing

@testable import PerennialCommands

/// Files of `perennial export` as files of subscribers.
@Suite struct `An exported file of purchases` {
    private func content(_ text: String, _ form: PurchaseForm = .transactionID) throws -> [SubscriberRow.Content] {
        var reader = SubscriberReader(form: form)
        var content: [SubscriberRow.Content] = []
        try reader.read(Array(text.utf8)) { content.append($0.content) }
        try reader.finish { content.append($0.content) }
        return content
    }

    @Test func `in JSON has users and transactions, and purchases without a customer are skipped`() throws {
        let text = """
            {"app_id":"a","id":"1","app_user_id":"-4","claim":"submitted","evaluated_at":1}
            {"app_id":"a","id":"2","app_user_id":null,"claim":null,"evaluated_at":1}
            {"app_id":"a","id":"3"}
            {"app_id":"a","id":"4","app_user_id":"'=1","claim":"submitted","evaluated_at":1}
            """
        let expected: [SubscriberRow.Content] = [
            .subscriber(user: "-4", purchase: "1"), .skipped, .skipped, .subscriber(user: "'=1", purchase: "4"),
        ]
        #expect(try content(text) == expected)
    }

    /// Spreadsheets of some languages write semicolons.
    @Test(arguments: [",", ";"])
    func `as CSV has its users as they were before the export`(separator: String) throws {
        let users = ["=1+1", "-4", "'=1", "''-4", "'7", " u ", "\t9"]
        let fields = ["'=1+1", "'-4", "''=1", "'''-4", "'7", " u ", "'\t9"]
        var lines = [["app_id", "id", "app_user_id", "claim", "evaluated_at"]]
        lines += fields.enumerated().map { ["a", "\($0.offset)", $0.element, "submitted", "1"] }
        lines += [["a", "100", "", "", "1"], ["a", "101", "", "", ""]]
        let found = try content(lines.map { $0.joined(separator: separator) + "\r\n" }.joined())
        let expected = users.enumerated().map {
            SubscriberRow.Content.subscriber(user: $0.element, purchase: "\($0.offset)")
        }
        #expect(found == expected + [.skipped, .skipped])
    }

    @Test func `that can be imported has customers, and purchases without one are skipped`() throws {
        let text = """
            {"app_id":"a","original_transaction_id":"1","customer_id":"-4","claim":"submitted","evaluated_at":1}
            {"app_id":"a","original_transaction_id":"2","evaluated_at":1,"state":"AA==","status":"active"}
            {"app_id":"a","original_transaction_id":"3","facts":"AA=="}
            """
        #expect(try content(text) == [.subscriber(user: "-4", purchase: "1"), .skipped, .skipped])
    }

    /// They look like purchases, but nothing of them could be imported.
    @Test(arguments: [
        #"{"app_id":"a","app_user_id":"u_1","aliases":[],"first_seen_at":1,"state_version":1}"#,
        #"{"app_id":"a","sequence":1,"id":"e","kind":"notification","purchase_id":"7"}"#,
        #"{"app_id":"a","sequence":1,"evidence_id":"e","kind":"notification","original_transaction_id":"7"}"#,
        #"{"app_id":"a","transaction_id":"8","original_transaction_id":"7"}"#,
        #"{"app_id":"a","original_transaction_id":"7","member":"u_1"}"#,
    ])
    func `is not what another file is, whose rows are rejected`(line: String) throws {
        #expect(try content(line).map { code($0) } == ["columns_missing"])
    }

    @Test func `has no receipts`() throws {
        let receipts = PurchaseForm.receipt(ReceiptVerifier())
        let lines = """
            {"app_id":"a","id":"1","app_user_id":"u_1","evaluated_at":1}
            {"app_id":"a","original_transaction_id":"2","evaluated_at":1}
            """
        #expect(try content(lines, receipts).map { code($0) } == ["columns_missing", "columns_missing"])
        #expect(throws: SubscriberReader.ColumnsMissing.self) {
            try content("app_id,id,app_user_id,evaluated_at\na,1,u_1,1\n", receipts)
        }
    }

    private func code(_ content: SubscriberRow.Content) -> String {
        switch content {
        case .subscriber: "ok"
        case .skipped: "skipped"
        case .bad(let problem): problem.code
        }
    }
}
