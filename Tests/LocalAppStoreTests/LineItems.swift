import AppStoreModel
import LocalAppStore

/// Line items without errors, in which tests change members.
enum LineItems {
    /// 2026-01-15.
    static let tokenDate: Int64 = 1_768_435_200_000
    /// Half a year later.
    static let now: Int64 = tokenDate + 180 * 86_400_000
    /// The date of the reported purchases.
    static let date: Int64 = tokenDate + 86_400_000

    static func report(_ token: ExternalPurchaseTokenRecord, _ status: String) -> JSONObject {
        [
            "requestIdentifier": "00000000-0000-4000-8000-000000000001",
            "externalPurchaseId": .string(token.externalPurchaseId), "status": .string(status),
        ]
    }

    static func oneTimeBuy(_ id: String, _ changes: [String: JSONValue?] = [:]) -> JSONValue {
        item(
            id,
            ["eventType": "BUY", "productType": "ONE_TIME_BUY", "productIdentifier": "book", "quantity": 1],
            changes
        )
    }

    static func subscriptionBuy(_ id: String, _ changes: [String: JSONValue?] = [:]) -> JSONValue {
        item(
            id,
            [
                "eventType": "BUY", "productType": "SUBSCRIPTION", "productIdentifier": "pro", "quantity": 1,
                "subscriptionEvent": "SUBSCRIPTION_START", "subscriptionStartDate": .integer(date),
                "subscriptionEndDate": .integer(date + 2_592_000_000), "subscriptionDaysOfPaidService": 0,
            ],
            changes
        )
    }

    /// A renewal of a reported subscription.
    static func renewal(_ id: String, of reference: String, _ changes: [String: JSONValue?] = [:]) -> JSONValue {
        var all: [String: JSONValue?] = [
            "subscriptionEvent": "RENEWAL", "subscriptionDaysOfPaidService": 30,
            "referenceLineItemId": .string(reference), "creationDate": .integer(date + 2_592_000_000),
        ]
        all.merge(changes) { $1 }
        return subscriptionBuy(id, all)
    }

    /// A full refund of a purchase.
    static func refund(_ id: String, of reference: String, _ changes: [String: JSONValue?] = [:]) -> JSONValue {
        item(
            id,
            [
                "eventType": "REFUND", "referenceLineItemId": .string(reference), "netAmountTaxExclusive": 0,
                "creationDate": .integer(date + 1_000),
            ],
            changes
        )
    }

    private static func item(
        _ id: String,
        _ members: [String: JSONValue],
        _ changes: [String: JSONValue?]
    ) -> JSONValue {
        var item: JSONObject = [
            "lineItemId": .string(id), "creationDate": .integer(date), "pricingCurrency": "EUR",
            "reportingCurrency": "EUR", "amountTaxExclusive": 10_000, "amountTaxInclusive": 11_900,
            "netAmountTaxExclusive": 10_000, "taxAmount": 1_900, "taxCountry": "DEU",
        ]
        for (key, value) in members { item[key] = value }
        for (key, value) in changes { item[key] = value }
        return .object(item)
    }
}
