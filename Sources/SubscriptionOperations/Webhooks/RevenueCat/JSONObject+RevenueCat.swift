import AppStoreModel
import SubscriptionCore
import SubscriptionStorage

extension JSONObject {
    /// The fields that all events have.
    init(type: RevenueCatEventType, id: String, app: AppID, at time: Timestamp) {
        self.init()
        self["type"] = .string(type.rawValue)
        self["id"] = .string(id)
        self["app_id"] = .string(app.bundleID)
        self["event_timestamp_ms"] = .integer(time.milliseconds)
    }

    /// The customer with all identifiers and attributes.
    ///
    /// Which identifier was the first is not stored: `original_app_user_id` is the customer's own one. RevenueCat
    /// advises receivers to search it and the aliases.
    mutating func addCustomer(_ name: CustomerID, _ customer: CustomerRecord?) {
        self["app_user_id"] = .string(name.rawValue)
        self["original_app_user_id"] = .string((customer?.id ?? name).rawValue)
        self["aliases"] = .identifiers(customer?.names ?? [name])
        addAttributes(of: customer)
    }

    /// The developer's attributes of the customer.
    private mutating func addAttributes(of customer: CustomerRecord?) {
        var attributes = JSONObject()
        for (name, attribute) in (customer?.profile.attributes ?? [:]).sorted(by: { $0.key < $1.key }) {
            attributes[name] = [
                "value": .string(attribute.value), "updated_at_ms": .integer(attribute.setAt.milliseconds),
            ]
        }
        self["subscriber_attributes"] = .object(attributes)
    }

    /// The customers of a transfer. RevenueCat's event has no `app_user_id`; here it is the new owner.
    mutating func addTransfer(to name: CustomerID, _ facts: RevenueCatFacts) {
        self["app_user_id"] = .string(name.rawValue)
        self["transferred_from"] = .identifiers(facts.formerOwner?.names ?? [])
        self["transferred_to"] = .identifiers(facts.customer?.names ?? [name])
        addAttributes(of: facts.customer)
        self["store"] = .string("APP_STORE")
    }

    /// The transaction of an event.
    mutating func addTransaction(
        of event: SubscriptionEvent,
        _ counterpart: RevenueCatCounterpart,
        _ facts: RevenueCatFacts
    ) {
        let fact = counterpart.transaction
        let entitlementIDs = counterpart.entitlementIDs ?? fact.map(facts.entitlementIDs) ?? []
        self["product_id"] = .text((fact?.productID ?? event.productID)?.rawValue)
        addEntitlements(entitlementIDs)
        self["period_type"] = .string(fact?.revenueCatPeriodType ?? "NORMAL")
        self["purchased_at_ms"] = .time(fact?.purchasedAt)
        self["expiration_at_ms"] = .time(counterpart.endedAt ?? fact?.accessEndsAt)
        self["store"] = .string("APP_STORE")
        self["transaction_id"] = .text((fact?.id ?? event.transactionID)?.rawValue)
        self["original_transaction_id"] = .text((fact?.originalID ?? event.purchaseID)?.rawValue)
        self["is_family_share"] = .bool(fact?.ownership == .familyShared)
        self["country_code"] = .text(fact?.storefront.flatMap(TwoLetterCountry.code))
        self["offer_code"] = .text(fact?.offer.flatMap { $0.kind == .offerCode ? $0.identifier : nil })
        self["presented_offering_id"] = .null
        self["renewal_number"] = fact.flatMap(facts.renewalNumber).map { .integer(Int64($0)) } ?? .null
        if counterpart.type == .renewal, let fact {
            self["is_trial_conversion"] = .bool(facts.predecessor(of: fact)?.isFreeTrial ?? false)
        }
        if counterpart.type == .productChange { self["new_product_id"] = .text(counterpart.newProductID?.rawValue) }
        if counterpart.type == .billingIssue {
            self["grace_period_expiration_at_ms"] = .time(counterpart.graceEndsAt)
        }
    }

    /// A grant as a purchase.
    ///
    /// RevenueCat names the duration in the product; `custom` for a grant that expires is unverified. Its grants are
    /// always in production; here they have the environment of the app.
    ///
    /// - Source: RevenueCat's page "Granted Entitlements": NON_RENEWING_PURCHASE, store and period type PROMOTIONAL.
    mutating func addGrant(_ grant: RevenueCatCounterpart.PromotionalGrant, _ counterpart: RevenueCatCounterpart) {
        let duration = grant.expiresAt == nil ? "lifetime" : "custom"
        self["product_id"] = .string("rc_promo_\(grant.entitlementID)_\(duration)")
        addEntitlements([grant.entitlementID])
        self["period_type"] = .string("PROMOTIONAL")
        self["purchased_at_ms"] = .time(grant.grantedAt)
        self["expiration_at_ms"] = .time(counterpart.endedAt ?? grant.expiresAt)
        self["store"] = .string("PROMOTIONAL")
        self["transaction_id"] = .text(grant.id?.rawValue)
        self["original_transaction_id"] = .text(grant.id?.rawValue)
        self["is_family_share"] = .bool(false)
        for field in ["country_code", "offer_code", "presented_offering_id", "renewal_number"] { self[field] = .null }
    }

    /// The deprecated `entitlement_id` is null, as in RevenueCat's samples.
    private mutating func addEntitlements(_ ids: [EntitlementID]) {
        self["entitlement_ids"] = ids.isEmpty ? .null : .identifiers(ids)
        self["entitlement_id"] = .null
    }

    /// What was paid or given back.
    ///
    /// `price` is in US dollars, so it is null for other currencies: no exchange rates are known here. Taxes are not
    /// known either.
    mutating func addMoney(of event: SubscriptionEvent, _ counterpart: RevenueCatCounterpart) {
        // An event about an entitlement has no price.
        let price = event.price ?? counterpart.transaction?.price
        let amount = counterpart.hasMoney ? price?.milliunits : 0
        let currency = event.price?.currency ?? counterpart.transaction?.price?.currency
        let isInDollars = currency == "USD" || amount == 0
        self["price"] = .thousandths(isInDollars ? amount : nil)
        self["price_in_purchased_currency"] = .thousandths(amount)
        self["currency"] = .text(currency)
        self["tax_percentage"] = .null
        let share = counterpart.hasMoney ? event.developerPercent : nil
        self["commission_percentage"] = .thousandths(share.map { 1_000 - 10 * $0 })
        self["takehome_percentage"] = .thousandths(share.map { 10 * $0 })
    }

    /// The reason of a cancellation or an expiration.
    mutating func addReason(_ counterpart: RevenueCatCounterpart) {
        guard let reason = counterpart.reason else { return }
        let name = counterpart.type == .expiration ? "expiration_reason" : "cancel_reason"
        self[name] = .string(reason.rawValue)
    }
}

extension SubscriptionEvent {
    /// The developer's share of the price in percent: the estimate by which the proceeds were computed.
    ///
    /// Nil for amounts that are too small, because proceeds are rounded to milliunits.
    fileprivate var developerPercent: Int64? {
        // An error of one milliunit is less than half a percent of it.
        let smallestExact: UInt64 = 250
        guard let price = price?.milliunits, let proceeds = proceeds?.milliunits, price.magnitude >= smallestExact
        else { return nil }
        let percent = (Double(proceeds) / Double(price) * 100).rounded()
        return (0.0...100.0).contains(percent) ? Int64(percent) : nil
    }
}

extension CustomerRecord {
    /// All identifiers, the customer's own one first.
    fileprivate var names: [CustomerID] { [id] + profile.aliases.filter { $0 != id } }
}

extension TransactionFact {
    /// Whether nothing was paid for it, by any offer.
    fileprivate var isFreeTrial: Bool { offer?.payment == .freeTrial }

    /// RevenueCat's period type.
    ///
    /// That discounts other than introductory ones are NORMAL is unverified.
    fileprivate var revenueCatPeriodType: String {
        if isFreeTrial { return "TRIAL" }
        return offer?.kind == .introductory ? "INTRO" : "NORMAL"
    }

    /// When it ended or was revoked, whichever is earlier. In RevenueCat's sample of a refund it is the time of the
    /// refund.
    fileprivate var accessEndsAt: Timestamp? {
        guard let revocation else { return expiresAt }
        return expiresAt.map { min($0, revocation.at) } ?? revocation.at
    }
}

extension JSONValue {
    /// RevenueCat's name of the environment of an app.
    static func revenueCatEnvironment(of app: AppID) -> JSONValue {
        switch app.environment {
        case .production: "PRODUCTION"
        case .sandbox: "SANDBOX"
        case nil: .null
        }
    }

    /// Identifiers, in order.
    fileprivate static func identifiers(_ ids: [some TextIdentifier]) -> JSONValue {
        .array(ids.map { .string($0.rawValue) })
    }

    /// A number of thousandths as a decimal, or null.
    fileprivate static func thousandths(_ number: Int64?) -> JSONValue {
        guard let number else { return .null }
        let (whole, rest) = number.magnitude.quotientAndRemainder(dividingBy: 1_000)
        guard rest > 0 else { return .integer(number / 1_000) }
        var digits = String(1_000 + rest).dropFirst()
        while digits.last == "0" { digits.removeLast() }
        return .decimal("\(number < 0 ? "-" : "")\(whole).\(digits)")
    }
}
