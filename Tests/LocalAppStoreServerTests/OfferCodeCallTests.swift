import AppStoreModel
import AppStoreSigning
import NIOHTTP1
import Testing

/// Codes over HTTP: creation, redemption, counts, deactivation.
@Suite struct `Offer codes over HTTP` {
    private static let catalog = """
        {"version": {"major": 4}, "subscriptionGroups": [{"id": "1", "subscriptions": [{
          "productID": "pro", "displayPrice": "9.99", "recurringSubscriptionPeriod": "P1M",
          "codeOffers": [{"referenceName": "spring", "paymentMode": "free", "subscriptionPeriod": "P1M"}]
        }]}]}
        """

    private static let calls = "/_store/products/pro/offer-codes"

    @Test func `a single-use code is created, redeemed once, and listed with its redemption`() async throws {
        try await withShop { store in
            let made = try await store.post(Self.calls, ["offer": "spring", "count": 2])
            #expect(made.status == 200, "\(made.text)")
            let codes = try #require(made.json["codes"].arrayValue)
            #expect(codes.count == 2 && made.json["kind"] == "single" && made.json["redemptionLimit"] == 2)
            let bought = try await redeem(codes[0], by: "anna", in: store)
            #expect(bought.status == 200, "\(bought.text)")
            let jws = try #require(bought.json["signedTransactionInfo"].stringValue)
            #expect(try store.verifier.verifyTransaction(jws).get().offerIdentifier == "spring")
            let again = try await redeem(codes[0], by: "bert", in: store)
            #expect(again.status == 409 && again.errorCode == "offer_code_redeemed")
            #expect(again.json["error"]["path"] == "offer.code")
            let batch = try await store.get("/_store/offer-codes/\(made.json["offerCodesId"].id)").json
            #expect(batch["redeemed"] == 1)
            #expect(batch["redemptions"][0]["code"] == codes[0] && batch["redemptions"][0]["accountId"] == "anna")
            #expect(batch["redemptions"][0]["transactionId"] == bought.json["transactionId"])
        }
    }

    @Test func `a custom code has a limit, and ends when the developer deactivates it`() async throws {
        try await withShop { store in
            let body: JSONValue = ["offer": "spring", "code": "Spring26", "redemptionLimit": 5]
            let made = try await store.post(Self.calls, body)
            #expect(made.json["code"] == "SPRING26" && made.json["codes"] == ["SPRING26"], "\(made.text)")
            #expect(try await redeem("spring26", by: "anna", in: store).status == 200)
            let id = made.json["offerCodesId"].id
            #expect(try await store.post("/_store/offer-codes/\(id)/deactivate").json["active"] == false)
            let late = try await redeem("SPRING26", by: "bert", in: store)
            #expect(late.status == 409 && late.errorCode == "offer_code_inactive")
            let list = try await store.get(Self.calls).json["offerCodes"]
            #expect(list[0]["redeemed"] == 1 && list[0]["active"] == false)
        }
    }

    @Test(arguments: [
        (#"{"count": 1}"#, 400, "missing_field", "offer"),
        (#"{"offer": "spring"}"#, 400, "missing_field", "count"),
        (#"{"offer": "spring", "count": 1, "redemptionLimit": 2}"#, 400, "field_not_applicable", "redemptionLimit"),
        (#"{"offer": "spring", "code": "A", "count": 2}"#, 400, "field_not_applicable", "count"),
        (#"{"offer": "spring", "code": "A"}"#, 400, "missing_field", "redemptionLimit"),
        (#"{"offer": "spring", "code": "A B", "redemptionLimit": 1}"#, 400, "offer_code_invalid", "code"),
        (#"{"offer": "autumn", "count": 1}"#, 404, "offer_not_found", "offer"),
        (#"{"offer": "spring", "count": 30000}"#, 422, "offer_code_limit_invalid", "count"),
        (#"{"offer": "spring", "count": 1, "expirationDate": 1}"#, 422, "expiration_date_invalid", "expirationDate"),
        (#"{"offer": "spring", "number": 1}"#, 400, "unknown_field", "number"),
    ])
    func `invalid codes are refused with the field`(
        body: String,
        status: Int,
        code: String,
        path: String
    ) async throws {
        try await withShop { store in
            let answer = try await store.send(.POST, Self.calls, body: Array(body.utf8))
            #expect(answer.status == status && answer.errorCode == code, "\(answer.text)")
            #expect(answer.json["error"]["path"].stringValue == path)
        }
    }

    @Test func `codes stay valid or redeemed across a restart`() async throws {
        try await withDataFile { path in
            let codes = try await withKeptStore(path) { store in
                _ = try await store.send(.PUT, "/_store/catalog", body: Array(Self.catalog.utf8))
                let made = try await store.post(Self.calls, ["offer": "spring", "count": 2])
                let codes = try #require(made.json["codes"].arrayValue)
                #expect(try await redeem(codes[0], by: "anna", in: store).status == 200)
                return codes
            }
            let answers = try await withKeptStore(path) { store in
                let used = try await redeem(codes[0], by: "bert", in: store)
                let again = try await redeem(codes[1], by: "anna", in: store)
                let good = try await redeem(codes[1], by: "bert", in: store)
                return [used.errorCode, again.errorCode, good.errorCode]
            }
            #expect(answers == ["offer_code_redeemed", "offer_already_redeemed", nil])
        }
    }

    private func withShop(_ body: (RunningStore) async throws -> Void) async throws {
        try await withStore { store in
            _ = try await store.send(.PUT, "/_store/catalog", body: Array(Self.catalog.utf8))
            try await body(store)
        }
    }

    private func redeem(
        _ code: JSONValue,
        by account: String,
        in store: RunningStore
    ) async throws -> RunningStore.Answer {
        if try await store.get("/_store/accounts/\(account)").status == 404 {
            _ = try await store.post("/_store/accounts", ["accountId": .string(account)])
        }
        let body: JSONValue = ["productId": "pro", "offer": ["type": "offer_code", "code": code]]
        return try await store.post("/_store/accounts/\(account)/purchases", body)
    }
}
