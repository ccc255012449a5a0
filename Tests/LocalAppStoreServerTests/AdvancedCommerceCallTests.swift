import AppStoreModel
import AppStoreSigning
import NIOHTTP1
import Testing

/// Advanced Commerce over HTTP.
@Suite struct `Advanced Commerce over HTTP` {
    @Test func `a signed request sells a subscription, and its payloads verify`() async throws {
        try await withStore { store in
            let sold = try await subscriber(of: store)
            let info = try #require(sold["signedTransactionInfo"].stringValue)
            let renewal = try #require(sold["signedRenewalInfo"].stringValue)
            #expect(
                try store.verifier.verifyTransaction(info).get().advancedCommerceInfo?.items?.map(\.sku) == ["news"]
            )
            #expect(
                try store.verifier.verifyRenewalInfo(renewal).get().advancedCommerceInfo?.items?.first?.price == 6_000
            )
        }
    }

    @Test func `an invalid request is refused by name`() async throws {
        try await withStore { store in
            _ = try await store.post("/_store/accounts", ["accountId": "anna"])
            let path = "/_store/accounts/anna/advanced-commerce-purchases"
            let wrong = try sign(["operation": "CREATE"], for: store)
            for (body, status, code) in [
                (["productId": "pro.weekly"], 400, "missing_field"),
                (["productId": "pro.weekly", "jws": "x"], 400, "unknown_field"),
                (["productId": "pro.weekly", "request": "x"], 422, "signature_malformed"),
                (["productId": "none", "request": "x"], 404, "product_not_found"),
                (["productId": "pro.weekly", "request": .string(wrong)], 422, "advanced_commerce_refused"),
            ] as [(JSONValue, Int, String)] {
                let answer = try await store.post(path, body)
                #expect(answer.status == status)
                #expect(answer.errorCode == code)
            }
        }
    }

    @Test func `the developer's server changes the names, then the price, then refunds a period`() async throws {
        try await withStore { store in
            try await withDeveloperServer { developer in
                _ = try await store.put("/_store/notification-endpoint", ["url": .string(developer.notificationURL)])
                let id = try #require(try await subscriber(of: store)["transactionId"].stringValue)
                let refund: JSONValue = ["SKU": "news", "refundReason": "OTHER", "refundType": "FULL", "revoke": false]
                let calls: [(String, JSONObject, NotificationType)] = [
                    ("subscription/changeMetadata", ["taxCode": "C003-00-9"], .metadataUpdate),
                    ("subscription/changePrice", ["items": [["SKU": "news", "price": 5_000]]], .priceChange),
                    (
                        "transaction/requestRefund", ["items": [refund], "refundRiskingPreference": false], .refund
                    ), ("subscription/cancel", [:], .didChangeRenewalStatus),
                    (
                        "subscription/revoke",
                        ["refundReason": "LEGAL", "refundType": "FULL", "refundRiskingPreference": false], .refund
                    ),
                ]
                for (position, (path, members, type)) in calls.enumerated() {
                    let answer = try await call(path, about: id, members, number: position, of: store)
                    #expect(answer.status == 200, "\(answer.text)")
                    let info = try #require(answer.json["signedTransactionInfo"].stringValue)
                    #expect(try store.verifier.verifyTransaction(info).get().transactionId == id)
                    let sent = store.verifier.verifyNotification(try #require(await developer.log.payloads.last))
                    #expect(try sent.get().payload.notificationType == type)
                }
            }
        }
    }

    @Test func `a granted request that revokes nothing is answered without a revocation`() async throws {
        try await withStore { store in
            let id = try #require(try await subscriber(of: store)["transactionId"].stringValue)
            let refund: JSONValue = ["SKU": "news", "refundReason": "OTHER", "refundType": "FULL", "revoke": false]
            let members: JSONObject = ["items": [refund], "refundRiskingPreference": true]
            let asked = try await call("transaction/requestRefund", about: id, members, number: 0, of: store)
            #expect(asked.status == 200, "\(asked.text)")
            let path = "/_store/transactions/\(id)/refund"
            let refused = try await store.post(path, ["percentage": 100_000])
            #expect(refused.status == 400 && refused.errorCode == "percentage_invalid")
            #expect(try await store.post(path).json == ["transactionId": .string(id)])
        }
    }

    @Test func `an ordinary subscription migrates to Advanced Commerce`() async throws {
        try await withStore { store in
            let id = try #require(try await store.buy("plus.monthly")["transactionId"].stringValue)
            let answer = try await call(
                "subscription/migrate",
                about: id,
                [
                    "targetProductId": "pro.weekly", "taxCode": "C003-00-2",
                    "descriptors": ["description": "All the news", "displayName": "News"],
                    "items": [["SKU": "news", "description": "All the news", "displayName": "News"]],
                ],
                number: 1,
                of: store
            )
            let info = try #require(answer.json["signedTransactionInfo"].stringValue)
            #expect(try store.verifier.verifyTransaction(info).get().previousOriginalTransactionId == id)
        }
    }

    @Test func `an invalid call gets Apple's error object, and none without a token`() async throws {
        try await withStore { store in
            let path = "/advancedCommerce/v1/subscription/cancel/2000000000009999"
            let missing = try await store.apple(.POST, path, [:])
            #expect(missing.status == 400 && missing.json["errorCode"].integerValue == 4_000_079)
            let answer = try await call("subscription/cancel", about: "2000000000009999", [:], number: 1, of: store)
            #expect(answer.status == 404 && answer.json["errorCode"].integerValue == 4_040_010)
            #expect(try await store.post(path).status == 401)
        }
    }

    @Test func `withdrawn consent is announced to the developer`() async throws {
        try await withStore { store in
            try await withDeveloperServer { developer in
                _ = try await store.put("/_store/notification-endpoint", ["url": .string(developer.notificationURL)])
                _ = try await store.post("/_store/accounts", ["accountId": "anna"])
                let answer = try await store.post("/_store/accounts/anna/rescind-consent")
                #expect(answer.json == ["accountId": "anna"])
                let sent = try store.verifier.verifyNotification(try #require(await developer.log.payloads.last)).get()
                #expect(sent.payload.notificationType == .rescindConsent)
                let info = try #require(sent.payload.appData?.signedAppTransactionInfo)
                #expect(try store.verifier.verifyAppTransaction(info).get().appTransactionId?.isEmpty == false)
                #expect(try await store.post("/_store/accounts/anna/rescind-consent").status == 409)
            }
        }
    }

    private func call(
        _ path: String,
        about id: String,
        _ members: JSONObject,
        number: Int,
        of store: RunningStore
    ) async throws -> RunningStore.Answer {
        var body = members
        body["requestInfo"] = ["requestReferenceId": .string("7d5a0a2e-0000-4000-8000-00000000000\(number + 2)")]
        return try await store.apple(.POST, "/advancedCommerce/v1/\(path)/\(id)", .object(body))
    }

    /// Sells a subscription of one item.
    func subscriber(of store: RunningStore) async throws -> JSONValue {
        _ = try await store.post("/_store/accounts", ["accountId": "anna", "storefront": "USA"])
        let request = try sign(
            [
                "operation": "CREATE_SUBSCRIPTION", "version": "1", "currency": "USD", "taxCode": "C003-00-2",
                "requestInfo": ["requestReferenceId": "7d5a0a2e-0000-4000-8000-000000000001"], "period": "P1M",
                "descriptors": ["description": "All the news", "displayName": "News"],
                "items": [
                    ["SKU": "news", "description": "All the news", "displayName": "News", "price": 6_000]
                ],
            ],
            for: store
        )
        let answer = try await store.post(
            "/_store/accounts/anna/advanced-commerce-purchases",
            ["productId": "pro.weekly", "request": .string(request)]
        )
        #expect(answer.status == 200, "\(answer.text)")
        return answer.json
    }

    private func sign(_ request: JSONObject, for store: RunningStore) throws -> String {
        let signer = StoreKitRequestSigner(key: store.key, bundleId: RunningStore.bundleId)
        return try signer.sign(AdvancedCommerceSignedRequest(request), nonce: .random(), at: RunningStore.start)
    }
}
