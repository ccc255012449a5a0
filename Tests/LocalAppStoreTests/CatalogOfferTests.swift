import AppStoreModel
import AppStoreSigning
import Foundation
import Testing

@testable import LocalAppStore

/// The folder of real files, if the environment has one.
private let vectors = ProcessInfo.processInfo.environment["PERENNIAL_VECTORS"]

@Suite struct `Offers of the catalogue` {
    @Test(
        .enabled(if: vectors != nil, "PERENNIAL_VECTORS does not name the folder of real files"),
        arguments: [
            ("integration-tests.storekit", 4, 0, ["settings._timeRate"]), ("purchase-tester.storekit", 5, 8, []),
        ]
    )
    func `the offers of a file written by Xcode are read, and ignored members are listed`(
        file: String,
        promotional: Int,
        codes: Int,
        ignored: [String]
    ) throws {
        let folder = try #require(vectors)
        let catalog = try Catalog(storekit: Array(try Data(contentsOf: URL(filePath: "\(folder)/storekit/\(file)"))))
        let terms = catalog.products.values.compactMap(\.terms)
        #expect(terms.reduce(0) { $0 + $1.promotionalOffers.count } == promotional)
        #expect(terms.reduce(0) { $0 + $1.codeOffers.count } == codes)
        #expect(catalog.ignored == ignored)
    }

    @Test(.enabled(if: vectors != nil, "PERENNIAL_VECTORS does not name the folder of real files"))
    func `the key that Xcode wrote into a file signs promotional offers`() throws {
        let folder = try #require(vectors)
        let url = URL(filePath: "\(folder)/storekit/integration-tests.storekit")
        let catalog = try Catalog(storekit: Array(try Data(contentsOf: url)))
        let pair = try #require(catalog.offersKey)
        let pem = "-----BEGIN PRIVATE KEY-----\n" + pair.privateKey.chunks(of: 64).joined(separator: "\n")
        let key = try InAppPurchaseKey(pem: pem + "\n-----END PRIVATE KEY-----", keyId: pair.keyId, issuerId: "")
        var transcript = try StoreTranscript.withAccount(at: try at("2026-01-15"), catalog: catalog)
        try transcript.buy("com.revenuecat.weekly_1.99.no_intro")
        let offerId = "com.revenuecat.weekly_1.99.1_free_week"
        let signer = StoreKitRequestSigner(key: key, bundleId: transcript.store.configuration.bundleId)
        let named = PromotionalOffer(productId: "com.revenuecat.weekly_1.99.no_intro", offerIdentifier: offerId)
        let signature = try signer.sign(named, nonce: .random(), at: transcript.store.now)
        let offer = PurchaseRequest.Offer(
            type: "promotional",
            identifier: offerId,
            signature: signature.encodedSignature,
            keyId: signature.keyId,
            nonce: signature.nonce.text,
            timestamp: signature.timestamp
        )
        let request = PurchaseRequest(productId: named.productId, offer: offer)
        _ = try transcript.store.purchase(accountId: "a", request: request)
        #expect(try transcript.newNotifications() == ["SUBSCRIBED/INITIAL_BUY 1", "OFFER_REDEEMED 1"])
    }

    @Test func `unsupported members are listed by path, without labels and disabled members`() throws {
        let text = """
            {
              "version": {"major": 4, "minor": 1}, "identifier": "A", "appPolicies": {"eula": "text"},
              "settings": {
                "_timeRate": 6, "_askToBuyEnabled": false, "_failTransactionsEnabled": true,
                "_storeKitErrors": [{"enabled": false, "name": "Purchase"}], "_locale": "de_DE"
              },
              "subscriptionGroups": [{"id": "g", "name": "G", "localizations": [{"locale": "de"}], "subscriptions": [{
                "productID": "a", "displayPrice": "1", "recurringSubscriptionPeriod": "P1M", "internalID": "7",
                "billingPlans": [{"billingPlanType": "MONTHLY"}],
                "introductoryOffers": [
                  {"paymentMode": "free", "subscriptionPeriod": "P1W"},
                  {"paymentMode": "free", "subscriptionPeriod": "P3D"}
                ]
              }]}]
            }
            """
        let catalog = try Catalog(storekit: Array(text.utf8))
        let subscription = "subscriptionGroups[0].subscriptions[0]"
        #expect(
            Set(catalog.ignored) == [
                "settings._timeRate", "settings._failTransactionsEnabled", "\(subscription).billingPlans",
                "\(subscription).introductoryOffers[1]",
            ]
        )
        #expect(catalog.products["a"]?.terms?.introductoryOffer?.period.iso8601 == "P1W")
    }

    @Test(arguments: [
        (#""adHocOffers": [{"paymentMode": "free", "subscriptionPeriod": "P1W"}]"#, "adHocOffers[0].offerID"),
        (#""codeOffers": [{"paymentMode": "free", "subscriptionPeriod": "P1W"}]"#, "codeOffers[0].referenceName"),
        (
            #""codeOffers": [{"referenceName": "x", "paymentMode": "free", "subscriptionPeriod": "P1W", "#
                + #""eligibility": ["all"]}]"#, "codeOffers[0].eligibility"
        ),
        (
            #""winbackOffers": [{"offerID": "x", "paymentMode": "free", "subscriptionPeriod": "P1W", "#
                + #""startDate": "2026-02-30"}]"#, "winbackOffers[0].startDate"
        ),
        (
            #""winbackOffers": [{"offerID": "x", "paymentMode": "free", "subscriptionPeriod": "P1W", "#
                + #""priority": "LOW"}]"#, "winbackOffers[0].priority"
        ),
        (
            #""winbackOffers": [{"offerID": "x", "paymentMode": "free", "subscriptionPeriod": "P1W"}, "#
                + #"{"offerID": "x", "paymentMode": "free", "subscriptionPeriod": "P1W"}]"#, "winbackOffers[1].offerID"
        ),
    ])
    func `an error in an offer is reported with its path`(fields: String, path: String) throws {
        let product = #"{"productID": "a", "displayPrice": "1", "recurringSubscriptionPeriod": "P1M", \#(fields)}"#
        let text = #"{"version": {"major": 4}, "subscriptionGroups": [{"id": "g", "subscriptions": [\#(product)]}]}"#
        let error = try #require(throws: CatalogError.self) { try Catalog(storekit: Array(text.utf8)) }
        #expect(error.path == "subscriptionGroups[0].subscriptions[0].\(path)")
    }

    @Test func `an invalid key is refused`() throws {
        let text = #"{"version": {"major": 4}, "subscriptionOffersKeyPair": {"id": "K", "privateKey": "AAAA"}}"#
        let error = try #require(throws: CatalogError.self) { try Catalog(storekit: Array(text.utf8)) }
        #expect(error.path == "subscriptionOffersKeyPair.privateKey")
    }
}

extension String {
    fileprivate func chunks(of length: Int) -> [String] {
        stride(from: 0, to: count, by: length).map { String(dropFirst($0).prefix(length)) }
    }
}
