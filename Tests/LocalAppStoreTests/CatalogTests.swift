import AppStoreModel
import Foundation
import Testing

@testable import LocalAppStore

/// The folder of real files, if the environment has one.
private let vectors = ProcessInfo.processInfo.environment["PERENNIAL_VECTORS"]

@Suite struct `The store's catalogue` {
    @Test func `the built-in catalogue has every kind of product and every payment mode`() throws {
        let catalog = try Catalog.example()
        let modes = catalog.products.values.compactMap(\.terms?.introductoryOffer?.paymentMode)
        #expect(Set(modes) == [.free, .payAsYouGo, .payUpFront])
        #expect(catalog.products["pro.monthly"]?.price == 9_990)
        #expect(catalog.products["pro.monthly"]?.terms?.groupId == "21000001")
        let offers = catalog.products["pro.monthly"]?.terms
        #expect(offers?.promotionalOffers.map(\.offerId) == ["pro.monthly.stay"])
        #expect(offers?.codeOffers.map(\.referenceName) == ["pro.monthly.gift"])
        #expect(offers?.winBackOffers.map(\.offerId) == ["pro.monthly.back"])
        #expect(catalog.ignored.isEmpty)
        #expect(catalog.products["lifetime"]?.kind == .nonConsumable)
        #expect(catalog.products["coins.100"]?.kind == .consumable)
        #expect(catalog.products["season.pass"]?.kind == .nonRenewing)
        #expect(catalog.productIds.count == 7)
        #expect(catalog.settings.gracePeriod == .none)
    }

    @Test(
        .enabled(if: vectors != nil, "PERENNIAL_VECTORS does not name the folder of real files"),
        arguments: [("integration-tests.storekit", 13), ("purchase-tester.storekit", 16)]
    )
    func `every product of a file written by Xcode can be bought`(file: String, products: Int) throws {
        let folder = try #require(vectors)
        let bytes = Array(try Data(contentsOf: URL(filePath: "\(folder)/storekit/\(file)")))
        let catalog = try Catalog(storekit: bytes)
        #expect(catalog.productIds.count == products)
        #expect(catalog.source == bytes)
        var transcript = try StoreTranscript(at: try at("2026-03-31"), catalog: catalog)
        for productId in catalog.productIds {
            let account = try transcript.store.createAccount().accountId
            let outcome = try transcript.store.purchase(
                accountId: account,
                request: PurchaseRequest(productId: productId)
            )
            let transaction: JWSTransactionDecodedPayload = try decoded(outcome.signedTransactionInfo)
            #expect(transaction.productId == productId)
            #expect((outcome.signedRenewalInfo != nil) == (catalog.products[productId]?.terms != nil))
        }
        try transcript.advance(to: try at("2027-05-01"))
        for record in try transcript.allRecords() where record.status != nil { #expect(record.status == .active) }
    }

    @Test(arguments: [("9.99", 9_990), ("0.99", 990), ("1", 1_000), ("12.5", 12_500), ("0", 0), ("3.125", 3_125)])
    func `a price is read exactly, in thousandths`(text: String, amount: Int) {
        #expect(milliunits(decimal: text) == Int64(amount))
    }

    @Test(arguments: ["", ".", "9.", ".99", "9.9999", "9,99", "-1", "1e3", " 1", "1.2.3", "1000000000"])
    func `an invalid price is refused`(text: String) {
        #expect(milliunits(decimal: text) == nil)
    }

    @Test(arguments: ["1", "5", "\"3\"", "null", "3.5"])
    func `a format version other than 2, 3 and 4 is refused by its path`(major: String) throws {
        let error = try faultOf(#"{"version": {"major": \#(major), "minor": 0}}"#)
        #expect(error.code == .versionUnknown)
        #expect(error.path == "version.major")
    }

    @Test(arguments: [2, 3, 4])
    func `format versions 2, 3 and 4 are read`(major: Int) throws {
        #expect(try Catalog(storekit: file(major: major)).productIds.isEmpty)
    }

    @Test(arguments: ["", "[]", "{", "{\"version\": 3", "nonsense", "\"text\""])
    func `a file that is not a JSON object is refused`(text: String) throws {
        #expect(try faultOf(text).code == .notJSON)
    }

    @Test(arguments: [
        (#"{"productID": "a", "displayPrice": "9.99"}"#, CatalogError.Code.fieldMissing, "recurringSubscriptionPeriod"),
        (subscriptionFields(period: "1 month"), .periodInvalid, "recurringSubscriptionPeriod"),
        (subscriptionFields(period: "P5M"), .periodInvalid, "recurringSubscriptionPeriod"),
        (subscriptionFields(period: "P0M"), .periodInvalid, "recurringSubscriptionPeriod"),
        (subscriptionFields(period: "PT1H"), .periodInvalid, "recurringSubscriptionPeriod"),
        (subscriptionFields(price: "free"), .priceInvalid, "displayPrice"),
        (subscriptionFields(id: ""), .fieldMissing, "productID"),
        (subscriptionFields(more: #", "type": "Consumable""#), .fieldInvalid, "type"),
        (subscriptionFields(more: #", "groupNumber": 0"#), .fieldInvalid, "groupNumber"),
        (subscriptionFields(more: #", "introductoryOffer": 7"#), .fieldInvalid, "introductoryOffer"),
        (subscriptionFields(offer: #""paymentMode": "gift""#), .fieldInvalid, "introductoryOffer.paymentMode"),
        (
            subscriptionFields(offer: #""paymentMode": "free", "subscriptionPeriod": "week""#), .periodInvalid,
            "introductoryOffer.subscriptionPeriod"
        ),
        (
            subscriptionFields(offer: #""paymentMode": "payUpFront", "subscriptionPeriod": "P1M""#), .fieldMissing,
            "introductoryOffer.displayPrice"
        ),
        (
            subscriptionFields(offer: #""paymentMode": "free", "subscriptionPeriod": "P1W", "numberOfPeriods": 0"#),
            .fieldInvalid, "introductoryOffer.numberOfPeriods"
        ),
        (
            subscriptionFields(
                offer: #""paymentMode": "payAsYouGo", "subscriptionPeriod": "P1W", "displayPrice": "1""#
            ),
            .periodInvalid, "introductoryOffer.subscriptionPeriod"
        ),
    ])
    func `an error in a subscription is reported with its path`(
        fields: String,
        code: CatalogError.Code,
        path: String
    ) throws {
        let good = subscriptionFields(id: "good")
        let groups = #"[{"id": "g", "subscriptions": [\#(good), \#(fields)]}]"#
        let error = try faultOf(#"{"version": {"major": 3}, "subscriptionGroups": \#(groups)}"#)
        #expect(error.code == code)
        #expect(error.path == "subscriptionGroups[0].subscriptions[1].\(path)")
    }

    @Test func `a product identifier that is used twice is refused`() throws {
        let product = #"{"productID": "x", "displayPrice": "1", "type": "Consumable"}"#
        let error = try faultOf(#"{"version": {"major": 3}, "products": [\#(product), \#(product)]}"#)
        #expect(error.code == .duplicate)
        #expect(error.path == "products[1].productID")
    }

    @Test func `a group identifier that is used twice is refused`() throws {
        let groups = #"[{"id": "g", "subscriptions": []}, {"id": "g", "subscriptions": []}]"#
        let error = try faultOf(#"{"version": {"major": 3}, "subscriptionGroups": \#(groups)}"#)
        #expect(error.code == .duplicate)
        #expect(error.path == "subscriptionGroups[1].id")
    }

    @Test func `an offer without a number of periods has one period, and a null offer is none`() throws {
        let offer = subscriptionFields(id: "a", offer: #""paymentMode": "free", "subscriptionPeriod": "P1W""#)
        let none = subscriptionFields(id: "b", more: #", "introductoryOffer": null"#)
        let groups = #"[{"id": "g", "subscriptions": [\#(offer), \#(none)]}]"#
        let text = #"{"version": {"major": 3}, "subscriptionGroups": \#(groups)}"#
        let catalog = try Catalog(storekit: Array(text.utf8))
        #expect(catalog.products["a"]?.terms?.introductoryOffer?.numberOfPeriods == 1)
        #expect(catalog.products["b"]?.terms?.introductoryOffer == nil)
    }

    @Test func `the settings of the file are the store's at the start`() throws {
        let settings = #"{"_storefront": "JPN", "_billingGracePeriodEnabled": true}"#
        let catalog = try Catalog(storekit: Array(#"{"version": {"major": 4}, "settings": \#(settings)}"#.utf8))
        let transcript = try StoreTranscript(at: 0, catalog: catalog)
        #expect(transcript.store.settings.gracePeriod == .sixteenDays)
        #expect(transcript.store.settings.defaultStorefront == "JPN")
    }

    private func file(major: Int) -> [UInt8] { Array(#"{"version": {"major": \#(major), "minor": 0}}"#.utf8) }

    private func faultOf(_ text: String) throws -> CatalogError {
        try #require(throws: CatalogError.self) { try Catalog(storekit: Array(text.utf8)) }
    }
}

/// A subscription of a configuration file.
private func subscriptionFields(
    id: String = "a",
    price: String = "9.99",
    period: String = "P1M",
    offer: String? = nil,
    more: String = ""
) -> String {
    let offer = offer.map { #", "introductoryOffer": {\#($0)}"# } ?? ""
    let terms = #""displayPrice": "\#(price)", "recurringSubscriptionPeriod": "\#(period)""#
    return #"{"productID": "\#(id)", \#(terms)\#(offer)\#(more)}"#
}
