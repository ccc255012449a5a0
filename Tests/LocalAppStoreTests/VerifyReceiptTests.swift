import AppStoreModel
import AppStoreSigning
import AppStoreTestAuthorities
import LocalAppStore
import PerennialPrimitives
import Testing

@Suite struct `The verifyReceipt endpoint` {
    // MARK: - The status

    @Test func `an account without purchases has a valid receipt with nothing in it, and needs no secret`() throws {
        var transcript = try StoreTranscript.withAccount(at: try at("2026-01-15"), environment: .sandbox)
        let answer = try transcript.verifiedReceipt(password: nil)
        #expect(answer.objectValue?.keys == ["environment", "receipt", "status"])
        #expect(answer["status"] == 0)
        #expect(answer["environment"] == "Sandbox")
        #expect(answer["receipt"]["receipt_type"] == "ProductionSandbox")
        #expect(answer["receipt"]["in_app"] == [])
        #expect(answer["receipt"]["original_purchase_date_ms"] == "1375340400000")
        #expect(answer["receipt"]["adam_id"] == 0)
    }

    @Test(arguments: [nil, "", "0123456789abcdef0123456789abcdef"])
    func `a receipt with a subscription needs the shared secret`(password: String?) throws {
        var transcript = try StoreTranscript.withAccount(at: try at("2026-01-15"))
        try transcript.buy("lifetime")
        #expect(try transcript.verifiedReceipt(password: password)["status"] == 0)
        try transcript.buy("pro.monthly")
        #expect(try transcript.verifiedReceipt(password: password) == ["status": 21_004])
        #expect(try transcript.verifiedReceipt()["status"] == 0)
    }

    @Test(arguments: [
        "", "{}", "[]", "nonsense", #"{"receipt-data": 1}"#, #"{"receipt-data": "hello"}"#, #"{"receipt-data": ""}"#,
        #"{"receipt-data": "MIIB"}"#, #"{"receipt-data": "e30="}"#,
    ])
    func `other data than a receipt is malformed`(body: String) throws {
        var transcript = try StoreTranscript.withAccount(at: try at("2026-01-15"))
        #expect(transcript.store.verifyReceipt(VerifyReceiptRequest(body: Array(body.utf8))) == ["status": 21_002])
    }

    @Test(arguments: [#""password": 1"#, #""exclude-old-transactions": "true""#])
    func `members of the wrong type are malformed, unknown ones are ignored`(
        member: String
    ) throws {
        var transcript = try StoreTranscript.withAccount(at: try at("2026-01-15"))
        let receipt = try transcript.store.appReceipt(accountId: "a")
        let body = { (member: String) in Array(#"{"receipt-data": "\#(receipt)", \#(member)}"#.utf8) }
        #expect(VerifyReceiptRequest(body: body(member)) == nil)
        let request = VerifyReceiptRequest(body: body(#""password": null, "platform": [1]"#))
        #expect(transcript.store.verifyReceipt(request)["status"] == 0)
    }

    @Test func `a receipt with a changed byte, or of another authority, is not authentic`() throws {
        var transcript = try StoreTranscript.withAccount(at: try at("2026-01-15"))
        var receipt = AppReceipt(bundleId: "com.example.perennial", receiptType: .production, creationDate: 0)
        receipt.creationDate = transcript.store.now
        let foreign = try TestReceiptAuthority(under: TestAuthority()).mintBase64(receipt)
        #expect(transcript.check(foreign)["status"] == 21_003)

        let own = try transcript.store.appReceipt(accountId: "a")
        var bytes = Array(try #require(Base64.decode(Array(own.utf8), .standard)))
        let position = try #require(bytes.firstIndex(ofSequence: Array("com.example.perennial".utf8)))
        bytes[position] ^= 1
        let changed = String(decoding: Base64.encode(bytes, .standard), as: UTF8.self)
        #expect(transcript.check(changed)["status"] == 21_003)
    }

    @Test(arguments: [
        (AppStoreEnvironment.sandbox, AppStoreEnvironment.production, Int64(21_007)),
        (.production, .sandbox, 21_008),
    ])
    func `a receipt of the other environment gets its status, also from another store`(
        made: AppStoreEnvironment,
        asked: AppStoreEnvironment,
        status: Int64
    ) throws {
        var maker = try StoreTranscript.withAccount(at: try at("2026-01-15"), environment: made)
        try maker.buy("pro.monthly")
        var other = try StoreTranscript(at: try at("2026-01-15"), environment: asked)
        let receipt = try maker.store.appReceipt(accountId: "a")
        #expect(other.check(receipt) == ["status": .integer(status)])
        let old = try maker.store.transactionReceipt(transactionId: try maker.account.transactions[0].transactionId)
        #expect(other.check(old) == ["status": .integer(status)])
    }

    @Test func `a receipt of an unknown account is reported`() throws {
        let first = try StoreTranscript.withAccount(at: try at("2026-01-15"))
        var second = try StoreTranscript(at: try at("2026-01-15"))
        #expect(second.check(try first.store.appReceipt(accountId: "a")) == ["status": 21_010])
    }

    // MARK: - The content

    @Test func `an old receipt answers with the current transactions, and with its own purchases`() throws {
        var transcript = try StoreTranscript.withAccount(at: try at("2026-01-15"))
        try transcript.buy("pro.monthly")
        let old = try transcript.store.appReceipt(accountId: "a")
        try transcript.advance(to: try at("2026-03-01"))
        let answer = transcript.check(old)
        #expect(answer["receipt"]["in_app"].arrayValue?.count == 1)
        #expect(answer["receipt"]["receipt_creation_date_ms"].stringValue == String(try at("2026-01-15")))
        let ledger = try transcript.account.transactions
        let reported = answer["latest_receipt_info"].arrayValue ?? []
        #expect(reported.map { $0["transaction_id"].stringValue } == ledger.map(\.transactionId).reversed())
        #expect(
            reported.map { $0["expires_date_ms"].stringValue }
                == ledger.reversed().map { $0.expiresDate.map(String.init) }
        )
        #expect(reported.map { $0["is_trial_period"].stringValue } == ["false", "false", "true"])
        let latest = try receiptVerifier().verify(answer["latest_receipt"].stringValue ?? "").payload
        #expect(latest?.inAppPurchases.count == 3)
    }

    @Test func `a subscription's transaction has Apple's members, all of them texts`() throws {
        var transcript = try StoreTranscript.withAccount(at: try at("2026-01-15"))
        let token = "7e3fb204-2a5c-4b5b-9c36-3a5a9a9c1c11"
        let request = PurchaseRequest(productId: "pro.weekly", appAccountToken: token)
        _ = try transcript.store.purchase(accountId: "a", request: request)
        let reported = try transcript.verifiedReceipt()["latest_receipt_info"][0]
        #expect(
            reported.objectValue?.keys == [
                "quantity", "product_id", "transaction_id", "original_transaction_id",
                "purchase_date", "purchase_date_ms", "purchase_date_pst",
                "original_purchase_date", "original_purchase_date_ms", "original_purchase_date_pst",
                "expires_date", "expires_date_ms", "expires_date_pst", "web_order_line_item_id",
                "is_trial_period", "is_in_intro_offer_period", "in_app_ownership_type", "app_account_token",
                "subscription_group_identifier",
            ]
        )
        #expect(reported.objectValue?.members.allSatisfy { $0.value.stringValue != nil } == true)
        #expect(reported["in_app_ownership_type"] == "PURCHASED")
        #expect(reported["app_account_token"].stringValue == token)
        #expect(reported["subscription_group_identifier"] == "21000001")
    }

    @Test func `only the newest transaction of each subscription is returned if old ones are excluded`() throws {
        var transcript = try StoreTranscript.withAccount(at: try at("2026-01-15"))
        try transcript.buy("lifetime")
        try transcript.buy("pro.monthly")
        try transcript.buy("plus.monthly")
        try transcript.advance(to: try at("2026-03-01"))
        let answer = try transcript.verifiedReceipt(excludesOldTransactions: true)
        let newest = try transcript.account.subscriptions.map { String($0.expiresDate) }
        let reported = answer["latest_receipt_info"].arrayValue ?? []
        #expect(Set(reported.map { $0["expires_date_ms"].stringValue }) == Set(newest))
        #expect(answer["receipt"]["in_app"].arrayValue?.count == (try transcript.account.transactions.count))
        #expect(answer["pending_renewal_info"].arrayValue?.count == 2)
    }

    @Test func `a refund is a cancellation with its reason`() throws {
        var transcript = try StoreTranscript.withAccount(at: try at("2026-01-15"))
        let bought = try transcript.buy("pro.weekly")
        try transcript.advance(to: try at("2026-01-16"))
        try transcript.store.refund(transactionId: bought.transactionId, reason: 1)
        let answer = try transcript.verifiedReceipt()
        for reported in [answer["latest_receipt_info"][0], answer["receipt"]["in_app"][0]] {
            #expect(reported["cancellation_date_ms"].stringValue == String(try at("2026-01-16")))
            #expect(reported["cancellation_reason"] == "1")
        }
        let pending = answer["pending_renewal_info"][0]
        #expect(pending["auto_renew_status"] == "0")
        #expect(pending["expiration_intent"] == "1")
    }

    @Test func `equal requests have equal answers, byte for byte`() throws {
        var transcript = try StoreTranscript.withAccount(at: try at("2026-01-15"))
        try transcript.buy("pro.monthly")
        #expect(try transcript.verifiedReceipt().serialize() == transcript.verifiedReceipt().serialize())
    }

    // MARK: - Failures on demand

    @Test(arguments: [(Int64(21_005), false), (21_009, false), (21_100, true), (21_199, true)])
    func `a failure is injected the requested number of times`(status: Int64, saysWhetherToRetry: Bool) throws {
        var transcript = try StoreTranscript.withAccount(at: try at("2026-01-15"))
        transcript.store.setReceiptFault(try ReceiptFault(status: status, count: 2, isRetryable: false))
        for _ in 1...2 {
            let answer = try transcript.verifiedReceipt()
            #expect(answer["status"] == .integer(status))
            #expect(answer["is_retryable"] == (saysWhetherToRetry ? false : .null))
        }
        #expect(try transcript.verifiedReceipt()["status"] == 0)
        #expect(transcript.store.receiptFault == nil)
    }

    @Test(arguments: [(Int64(0), nil), (21_003, nil), (21_099, nil), (21_200, nil), (21_005, 0), (21_005, -1)])
    func `only failures without a cause in the request can be injected`(status: Int64, count: Int?) {
        expectRefusal(.receiptFaultInvalid, .unprocessable) { try ReceiptFault(status: status, count: count) }
    }
}

extension StoreTranscript {
    /// The answer of `/verifyReceipt` for the current receipt of the account `a`.
    mutating func verifiedReceipt(excludesOldTransactions: Bool = false) throws -> JSONValue {
        try verifiedReceipt(password: store.sharedSecret, excludesOldTransactions: excludesOldTransactions)
    }

    mutating func verifiedReceipt(password: String?, excludesOldTransactions: Bool = false) throws -> JSONValue {
        let request = VerifyReceiptRequest(
            receiptData: try store.appReceipt(accountId: "a"),
            password: password,
            excludesOldTransactions: excludesOldTransactions
        )
        return .object(store.verifyReceipt(request))
    }

    /// The answer of `/verifyReceipt` for a receipt, with the correct secret.
    mutating func check(_ receipt: String) -> JSONValue {
        let request = VerifyReceiptRequest(receiptData: receipt, password: store.sharedSecret)
        return .object(store.verifyReceipt(request))
    }
}

extension JSONValue {
    /// A member, or `null`.
    subscript(key: String) -> JSONValue { objectValue?[key] ?? .null }

    /// An element, or `null`.
    subscript(index: Int) -> JSONValue {
        guard let elements = arrayValue, elements.indices.contains(index) else { return .null }
        return elements[index]
    }
}

extension [UInt8] {
    fileprivate func firstIndex(ofSequence sequence: [UInt8]) -> Int? {
        indices.first { self[$0...].starts(with: sequence) }
    }
}
