import AppStoreSigning
import Testing

@testable import PerennialCommands

/// Files of subscribers in every form, in pieces of every size.
@Suite struct `A file of subscribers` {
    /// The rows of a file that is read in pieces.
    private func rows(
        _ text: String,
        pieces: Int = .max,
        user: String? = nil,
        transaction: String? = nil
    ) throws -> [SubscriberRow] {
        var reader = SubscriberReader(userColumn: user, purchaseColumn: transaction, form: .transactionID)
        var rows: [SubscriberRow] = []
        var rest = Array(text.utf8)[...]
        while !rest.isEmpty {
            let piece = rest.prefix(pieces)
            rest = rest.dropFirst(piece.count)
            try reader.read(piece) { rows.append($0) }
        }
        try reader.finish { rows.append($0) }
        return rows
    }

    private func content(_ text: String, user: String? = nil, transaction: String? = nil) throws
        -> [SubscriberRow.Content]
    {
        try rows(text, user: user, transaction: transaction).map(\.content)
    }

    private static let two: [SubscriberRow.Content] = [
        .subscriber(user: "u_1", purchase: "2000000000000001"),
        .subscriber(user: "u,\"2\"", purchase: "2000000000000002"),
    ]

    @Test(arguments: [
        "user,original_transaction_id\nu_1,2000000000000001\n\"u,\"\"2\"\"\",2000000000000002\n",
        "\u{FEFF}user,original_transaction_id\r\nu_1,2000000000000001\r\n\"u,\"\"2\"\"\",2000000000000002",
        "Transaction_ID , App_User_ID\n2000000000000001,u_1\n\n2000000000000002,\"u,\"\"2\"\"\"\n",
        "rc_original_app_user_id,store,store_transaction_id\nu_1,app_store,2000000000000001\n"
            + "\"u,\"\"2\"\"\",app_store,2000000000000002\n",
        "{\"user\":\"u_1\",\"transaction_id\":2000000000000001}\n"
            + "{\"customer_id\":\"u,\\\"2\\\"\",\"original_transaction_id\":\"2000000000000002\",\"app_id\":\"a\"}\n",
        "\u{FEFF}{\"user\":\"u_1\",\"transaction_id\":\"2000000000000001\"}\r\n\r\n"
            + "{\"user\":\"u,\\\"2\\\"\",\"transaction_id\":\"2000000000000002\"}",
        "{\"User\":\"u_1\",\"Transaction_ID\":2000000000000001}\n"
            + "{\" App_User_Id\":\"u,\\\"2\\\"\",\"Original_Transaction_ID\":\"2000000000000002\"}\n",
        "\"user\";\"transaction_id\"\r\n\"u_1\";\"2000000000000001\"\r\n\"u,\"\"2\"\"\";\"2000000000000002\"\r\n",
        "\u{FEFF}transaction_id;\"a, b\";user\n2000000000000001;c;u_1\n2000000000000002;,;\"u,\"\"2\"\"\"",
        "user\ttransaction_id\ru_1\t2000000000000001\r\"u,\"\"2\"\"\"\t2000000000000002\r",
    ])
    func `has the same rows in every form, however it is divided`(text: String) throws {
        #expect(try content(text) == Self.two)
        let whole = try rows(text)
        for pieces in 1...16 { #expect(try rows(text, pieces: pieces) == whole) }
    }

    @Test(arguments: [
        "user,receipt\nu_1,MII+/=\nu_2,\n",
        "{\"user_id\":\"u_1\",\"receipt-data\":\"MII+/=\"}\n"
            + "{\"user_id\":\"u_2\",\"receipt-data\":\"\"}",
        "App_User_ID,latest_receipt\nu_1,\"MII+/=\"\nu_2,",
        "{\"App_User_ID\":\"u_1\",\"Receipt-Data\":\"MII+/=\"}\n{\"User\":\"u_2\",\"Receipt\":null}",
    ])
    func `with receipts has them as they are`(text: String) throws {
        var reader = SubscriberReader(form: Self.receipts)
        var found: [SubscriberRow.Content] = []
        try reader.read(Array(text.utf8)) { found.append($0.content) }
        try reader.finish { found.append($0.content) }
        #expect(found.count == 2 && found.first == .subscriber(user: "u_1", purchase: "MII+/="))
        guard case .bad(let problem)? = found.last else {
            Issue.record("a good row: \(found)")
            return
        }
        #expect(problem.code == "receipt_missing" && problem.user == "u_2")
    }

    /// A receipt with thousands of purchases has more than a mebibyte.
    @Test func `with receipts has longer rows than one with transactions`() throws {
        let text = "user,receipt\nu_1,\(String(repeating: "A", count: 2 << 20))\nu_2,B\n"
        var reader = SubscriberReader(form: Self.receipts)
        var sizes: [Int] = []
        try reader.read(Array(text.utf8)) { row in
            if case .subscriber(_, let receipt) = row.content { sizes.append(receipt.utf8.count) }
        }
        #expect(sizes == [2 << 20, 1])
    }

    private static let receipts = PurchaseForm.receipt(ReceiptVerifier())

    @Test func `can have other names of columns`() throws {
        let text = "Member,Kauf\nu_1,2000000000000001\n"
        #expect(try content(text, user: "member", transaction: "KAUF") == [Self.two[0]])
        let json = "{\"appUserId\":\"u_1\",\"originalTransactionId\":\"2000000000000001\"}\n"
        #expect(try content(json, user: "appUserId", transaction: "originalTransactionId") == [Self.two[0]])
        #expect(try content(json, user: "APPUSERID", transaction: "originaltransactionid") == [Self.two[0]])
        #expect(throws: SubscriberReader.ColumnsMissing.self) { try content(text) }
        #expect(throws: SubscriberReader.ColumnsMissing.self) { try content(text, user: "member") }
        #expect(throws: SubscriberReader.ColumnsMissing.self) { try content("") }
        #expect(throws: SubscriberReader.ColumnsMissing.self) { try content("user\nu_1\n") }
    }

    /// Such as RevenueCat's export, in which the alias may be empty.
    @Test(arguments: [
        "rc_last_seen_app_user_id_alias,rc_original_app_user_id,original_store_transaction_id,store_transaction_id\n"
            + ",u_1,2000000000000001,7\n\"u,\"\"2\"\"\",other,,2000000000000002\n",
        "{\"user\":\"\",\"user_id\":\"u_1\",\"transaction_id\":2000000000000001}\n"
            + "{\"user\":\"u,\\\"2\\\"\",\"user_id\":\"u_1\",\"original_transaction_id\":null,"
            + "\"transaction_id\":\"2000000000000002\"}\n",
    ])
    func `with several known columns has in each row the first one that is not empty`(text: String) throws {
        #expect(try content(text) == Self.two)
    }

    @Test func `with a named column has no other one`() throws {
        let text = "user,member,transaction_id\nu_1,,2000000000000001\n"
        guard case .bad(let problem)? = try content(text, user: "member").first else {
            Issue.record("a good row")
            return
        }
        #expect(problem.code == "user_missing")
    }

    @Test(arguments: [
        "{\"User\":\"other\",\"user\":\"u_1\",\"USER\":\"other\",\"transaction_id\":2000000000000001}",
        "{\"user\":\"u_1\",\"User\":\"other\",\"transaction_id\":2000000000000001,\"Transaction_Id\":1}",
    ])
    func `of JSON can have names that differ in capitals only: the one without them counts`(text: String) throws {
        #expect(try content(text) == [Self.two[0]])
    }

    @Test(arguments: ["\"user;transaction_id\nu_1;1\n", "us\"er;transaction_id\nu_1;1\n", "\0\n"])
    func `has no rows if the names of its columns cannot be read`(text: String) {
        for pieces in [1, 7, Int.max] {
            #expect(throws: SubscriberReader.NamesUnreadable.self) { try rows(text, pieces: pieces) }
        }
    }

    @Test func `has bad rows with their lines and reasons between good ones`() throws {
        let text = """
            user,transaction_id,store
            u_1,2000000000000001,app_store
            ,2000000000000001,app_store
            u_2,,app_store
            u_3,2E+15,app_store
            u_4,GPA.1234,play_store
            u_5,2000000000000005
            "u_6
            ",2000000000000006,app_store
            u"7,2000000000000007,app_store
            u_8,2000000000000008,
            """
        let rows = try rows(text)
        #expect(rows.map(\.line) == [2, 3, 4, 5, 6, 7, 8, 10, 11])
        let codes = rows.map { row in
            switch row.content {
            case .subscriber: "ok"
            case .skipped: "skipped"
            case .bad(let problem): problem.code
            }
        }
        #expect(
            codes == [
                "ok", "user_missing", "transaction_missing", "transaction_malformed", "skipped", "field_count_wrong",
                "ok", "csv_stray_quote", "ok",
            ]
        )
    }

    @Test func `of JSON has bad lines between good ones`() throws {
        let text = """
            {"user":"u_1","transaction_id":"1"}
            {"user":"u_2"}
            nonsense
            {"app_id":"a","original_transaction_id":"7","evaluated_at":1}
            {"user":"u_3","transaction_id":"3"}
            """
        let rows = try rows(text)
        #expect(rows.map(\.line) == [1, 2, 3, 4, 5])
        guard case .bad(let missing) = rows[1].content, case .bad(let malformed) = rows[2].content else {
            Issue.record("good rows: \(rows)")
            return
        }
        #expect(missing.code == "columns_missing" && malformed.code == "json_malformed")
        #expect(rows[3].content == .skipped)
        #expect(rows[4].content == .subscriber(user: "u_3", purchase: "3"))
    }
}
