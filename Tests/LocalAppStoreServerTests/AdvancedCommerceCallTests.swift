import AppStoreModel
import AppStoreSigning
import NIOHTTP1
import Testing

/// Advanced Commerce over HTTP.
struct AdvancedCommerceCallTests {
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

    @Test func `a wrong request is refused by name`() async throws {
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
