import AppStoreModel
import AppStoreSigning
import NIOHTTP1
import Testing

/// Offers over HTTP.
@Suite struct `Offers over HTTP` {
    private static let catalog = """
        {"version": {"major": 4}, "settings": {"_timeRate": 6}, "subscriptionGroups": [{"id": "1", "subscriptions": [{
          "productID": "pro", "displayPrice": "9.99", "recurringSubscriptionPeriod": "P1M",
          "adHocOffers": [{"offerID": "free", "paymentMode": "free", "subscriptionPeriod": "P1M"}],
          "codeOffers": [{"referenceName": "code", "paymentMode": "free", "subscriptionPeriod": "P1M"}]
        }]}]}
        """

    @Test func `a catalogue lists its ignored members`() async throws {
        try await withStore { store in
            let put = try await store.send(.PUT, "/_store/catalog", body: Array(Self.catalog.utf8))
            #expect(put.json == ["productIds": ["pro"], "ignored": ["settings._timeRate"]])
        }
    }

    @Test func `an offer that the app's key signed is redeemed, in either form, once`() async throws {
        try await withStore { store in
            _ = try await store.send(.PUT, "/_store/catalog", body: Array(Self.catalog.utf8))
            _ = try await store.buy("pro")
            let signer = StoreKitRequestSigner(key: store.key, bundleId: RunningStore.bundleId)
            let claims = PromotionalOfferV2(productId: "pro", offerIdentifier: "free")
            let jws = try signer.sign(claims, nonce: .random(), at: RunningStore.start)
            let named = PromotionalOffer(productId: "pro", offerIdentifier: "free")
            let first = try signer.sign(named, nonce: .random(), at: RunningStore.start)
            let offers: [JSONValue] = [
                ["type": "promotional", "identifier": "free", "signature": .string(jws)],
                [
                    "type": "promotional", "identifier": "free", "signature": .string(first.encodedSignature),
                    "keyId": .string(first.keyId), "nonce": .string(first.nonce.text),
                    "timestamp": .integer(first.timestamp),
                ],
            ]
            for offer in offers {
                let body: JSONValue = ["productId": "pro", "offer": offer]
                let answer = try await store.post("/_store/accounts/anna/purchases", body)
                #expect(answer.status == 200, "\(answer.text)")
                let renewal = try #require(answer.json["signedRenewalInfo"].stringValue)
                #expect(try store.verifier.verifyRenewalInfo(renewal).get().offerIdentifier == "free")
                let again = try await store.post("/_store/accounts/anna/purchases", body)
                #expect(again.status == 409)
                #expect(again.errorCode == "signature_nonce_used")
            }
        }
    }

    @Test func `an offer signed by the real time is redeemed even after an advance`() async throws {
        try await withStore { store in
            _ = try await store.send(.PUT, "/_store/catalog", body: Array(Self.catalog.utf8))
            _ = try await store.buy("pro")
            _ = try await store.advance(by: "P1Y")
            let signer = StoreKitRequestSigner(key: store.key, bundleId: RunningStore.bundleId)
            let claims = PromotionalOfferV2(productId: "pro", offerIdentifier: "free")
            let jws = try signer.sign(claims, nonce: .random(), at: RunningStore.start)
            let offer: JSONValue = ["type": "promotional", "identifier": "free", "signature": .string(jws)]
            let body: JSONValue = ["productId": "pro", "offer": offer]
            let answer = try await store.post("/_store/accounts/anna/purchases", body)
            #expect(answer.status == 200, "\(answer.text)")
        }
    }

    @Test(arguments: [
        (#"{"type": "promotional", "identifier": "free", "signature": "x"}"#, 422, "signature_malformed"),
        (#"{"type": "promotional", "identifier": "free"}"#, 400, "signature_missing"),
        (#"{"type": "promotional", "identifier": "other", "signature": "x"}"#, 404, "offer_not_found"),
        (#"{"type": "gift"}"#, 422, "offer_not_supported"), (#"{"type": "win_back"}"#, 404, "offer_not_found"),
        (#"{"type": "promotional", "timestamp": "now"}"#, 400, "wrong_type"),
        (#"{"type": "introductory", "identifier": "free"}"#, 400, "field_not_applicable"),
        (#"{"type": "introductory", "nonce": "x", "keyId": "y"}"#, 400, "field_not_applicable"),
        (#"{"type": "win_back", "identifier": "x", "signature": "y"}"#, 400, "field_not_applicable"),
        (#"{"type": "offer_code", "identifier": "code", "timestamp": 1}"#, 400, "field_not_applicable"),
    ])
    func `an invalid offer is refused by name`(offer: String, status: Int, code: String) async throws {
        try await withStore { store in
            _ = try await store.send(.PUT, "/_store/catalog", body: Array(Self.catalog.utf8))
            _ = try await store.buy("pro")
            let body = Array(#"{"productId": "pro", "offer": \#(offer)}"#.utf8)
            let answer = try await store.send(.POST, "/_store/accounts/anna/purchases", body: body)
            #expect(answer.errorCode == code, "\(answer.text)")
            #expect(answer.status == status)
        }
    }

    @Test func `a code subscribes with its offer`() async throws {
        try await withStore { store in
            _ = try await store.send(.PUT, "/_store/catalog", body: Array(Self.catalog.utf8))
            _ = try await store.post("/_store/accounts", ["accountId": "anna"])
            let offer: JSONValue = ["type": "offer_code", "identifier": "code"]
            let answer = try await store.post("/_store/accounts/anna/purchases", ["productId": "pro", "offer": offer])
            let jws = try #require(answer.json["signedTransactionInfo"].stringValue)
            #expect(try store.verifier.verifyTransaction(jws).get().offerType == .offerCode)
        }
    }
}
