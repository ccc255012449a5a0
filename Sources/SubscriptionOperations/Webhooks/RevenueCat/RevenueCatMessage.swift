package import AppStoreModel
package import SubscriptionCore
package import SubscriptionStorage

/// An event of the feed in the shape of a RevenueCat webhook, for receivers that were written for those.
///
/// One event gives at most one message. RevenueCat sends two or three webhooks for some changes. Each event of such a
/// change stands for one of them, and the rest is left out: `RevenueCatCounterpart` states the choices.
///
/// - Source: RevenueCat's pages "Event Types and Fields", "Sample Events" and "Common Webhook Flows", read in 2026.
///   What they do not say is marked as unverified where it is decided.
package struct RevenueCatMessage: Hashable, Sendable {
    /// The version of the shape.
    private static let version = "1.0"

    /// RevenueCat's name of the event, such as `RENEWAL`.
    package let type: String
    /// The body.
    package let json: JSONObject

    /// The body as it is sent.
    package var body: [UInt8] { json.serialize() }

    /// Makes the message of an event; nil if the event has no counterpart at RevenueCat, so that nothing is sent.
    ///
    /// Events without a customer have none: every receiver looks for `app_user_id`.
    ///
    /// - Parameters:
    ///   - record: The event.
    ///   - id: The identifier of the message, the same for every attempt.
    ///   - app: The app of the event.
    ///   - facts: What is known of the customer and of the purchase.
    package init?(_ record: EventRecord, id: String, app: AppID, facts: RevenueCatFacts) {
        guard let name = record.customerID, let counterpart = RevenueCatCounterpart(of: record, facts) else {
            return nil
        }
        var event = JSONObject(type: counterpart.type, id: id, app: app, at: record.recordedAt)
        if counterpart.type == .transfer {
            event.addTransfer(to: name, facts)
        } else {
            event.addCustomer(name, facts.customer)
            if let grant = counterpart.grant {
                event.addGrant(grant, counterpart)
            } else {
                event.addTransaction(of: record.event, counterpart, facts)
            }
            event.addMoney(of: record.event, counterpart)
            event.addReason(counterpart)
        }
        event["environment"] = .revenueCatEnvironment(of: app)
        self.init(counterpart.type, event)
    }

    /// Makes a test message. It looks like a first purchase of nobody.
    ///
    /// - Parameters:
    ///   - id: The identifier of the message.
    ///   - app: The app of the endpoint.
    ///   - now: The time.
    package init(test id: String, app: AppID, at now: Timestamp) {
        var event = JSONObject(type: .test, id: id, app: app, at: now)
        event.addCustomer(CustomerID("test_user"), nil)
        let week: Int64 = 7 * 24 * 60 * 60 * 1000
        event["product_id"] = .string("test_product")
        event["entitlement_ids"] = .array([])
        event["period_type"] = .string("NORMAL")
        event["purchased_at_ms"] = .integer(now.milliseconds)
        event["expiration_at_ms"] = .integer(now.adding(milliseconds: week).milliseconds)
        event["store"] = .string("APP_STORE")
        event["transaction_id"] = .string("test_transaction")
        event["original_transaction_id"] = .string("test_transaction")
        event["price"] = .integer(0)
        event["price_in_purchased_currency"] = .integer(0)
        event["currency"] = .string("USD")
        event["environment"] = .revenueCatEnvironment(of: app)
        self.init(.test, event)
    }

    /// Makes the body around an event.
    private init(_ type: RevenueCatEventType, _ event: JSONObject) {
        self.type = type.rawValue
        json = ["event": .object(event), "api_version": .string(Self.version)]
    }

    /// Whether events of a kind can have a counterpart; if not, no facts are needed.
    package static func mayExist(for kind: SubscriptionEvent.Kind) -> Bool { kind.revenueCatRule != nil }
}

/// RevenueCat's names of events.
///
/// It has more for other stores, and for what this server does not do: `SUBSCRIPTION_PAUSED`, `INVOICE_ISSUANCE`,
/// `TEMPORARY_ENTITLEMENT_GRANT`, `VIRTUAL_CURRENCY_TRANSACTION` and `EXPERIMENT_ENROLLMENT`.
enum RevenueCatEventType: String, Hashable, Sendable {
    /// Sent by hand, to test a receiver.
    case test = "TEST"
    /// The first period of a subscription.
    case initialPurchase = "INITIAL_PURCHASE"
    /// A further period, also after a lapse.
    case renewal = "RENEWAL"
    /// It will not renew, or its money was given back.
    case cancellation = "CANCELLATION"
    /// It will renew after all.
    case uncancellation = "UNCANCELLATION"
    /// A one-time purchase, or an entitlement that an operator granted.
    case nonRenewingPurchase = "NON_RENEWING_PURCHASE"
    /// Access ends.
    case expiration = "EXPIRATION"
    /// A charge failed; access stays.
    case billingIssue = "BILLING_ISSUE"
    /// Another product, now or at the next renewal.
    case productChange = "PRODUCT_CHANGE"
    /// The purchase belongs to another customer now.
    case transfer = "TRANSFER"
    /// The end of the period moved.
    case subscriptionExtended = "SUBSCRIPTION_EXTENDED"
    /// A refund was taken back.
    case refundReversed = "REFUND_REVERSED"
}

/// RevenueCat's reasons of a cancellation or an expiration.
enum RevenueCatReason: String, Hashable, Sendable {
    /// The customer turned off renewal.
    case unsubscribe = "UNSUBSCRIBE"
    /// The store could not charge.
    case billingError = "BILLING_ERROR"
    /// The developer ended it.
    case developerInitiated = "DEVELOPER_INITIATED"
    /// The customer did not agree to a higher price.
    case priceIncrease = "PRICE_INCREASE"
    /// The store gave the money back.
    case customerSupport = "CUSTOMER_SUPPORT"
    /// The store does not say.
    case unknown = "UNKNOWN"
}
