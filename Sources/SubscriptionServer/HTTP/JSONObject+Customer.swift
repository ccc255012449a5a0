import AppStoreModel
import SubscriptionCore
import SubscriptionOperations
import SubscriptionStorage

/// Apple's pages for customers.
///
/// - Source: Apple's articles on handling subscriptions billing and on reducing involuntary churn.
private enum AppStoreLink {
    /// The page to view and cancel subscriptions.
    static let subscriptions = "https://apps.apple.com/account/subscriptions"
    /// The page to update the payment method.
    static let paymentMethods = "https://apps.apple.com/account/billing"
}

extension JSONObject {
    /// A customer in the form of the API.
    init(customer view: CustomerView, for audience: Audience = .server) {
        self.init()
        self["object"] = .string("customer")
        setName(of: view, for: audience)
        if audience == .server {
            self["aliases"] = .array(view.customer.profile.aliases.map { .string($0.rawValue) })
        }
        self["first_seen_at"] = .integer(view.customer.firstSeenAt.milliseconds)
        self["state_version"] = .integer(view.customer.stateVersion)
        self["evaluated_at"] = .integer(view.evaluatedAt.milliseconds)
        self["entitlements"] = .object(JSONObject(entitlements: view.entitlements))
        self["subscriptions"] = .array(
            view.subscriptions.map { state in
                .object(JSONObject(subscription: state, appTransactionID: view.appTransactionIDs[state.id]))
            }
        )
        self["purchases"] = .array(
            view.purchases.map { state in
                .object(JSONObject(purchase: state, appTransactionID: view.appTransactionIDs[state.id]))
            }
        )
        self["unassigned_products"] = .array(view.unassignedProducts.map { .string($0.rawValue) })
        self["offers"] = .object(JSONObject(offers: view.introductoryEligibility))
        if !view.refusedClaims.isEmpty {
            addRefusedClaims(view.refusedClaims, namesOthers: audience == .server)
        }
        addExplanation(of: view, for: audience)
    }

    /// The introductory offers of a customer.
    init(offersOf view: CustomerView, for audience: Audience) {
        self.init()
        self["object"] = .string("offers")
        setName(of: view, for: audience)
        self["evaluated_at"] = .integer(view.evaluatedAt.milliseconds)
        self["offers"] = .object(JSONObject(offers: view.introductoryEligibility))
        // The customer is eligible in any other group.
        self["other_groups"] = .object(JSONObject(introductoryEligible: true))
    }

    private init(offers: [SubscriptionGroupID: Bool]) {
        self.init()
        for (group, isEligible) in offers.sorted(by: { $0.key < $1.key }) {
            self[group.rawValue] = .object(JSONObject(introductoryEligible: isEligible))
        }
    }

    private init(introductoryEligible isEligible: Bool) {
        self.init()
        self["introductory_eligible"] = .bool(isEligible)
    }

    /// The small response that apps poll.
    init(entitlementsOf view: CustomerView, for audience: Audience = .server) {
        self.init()
        self["object"] = .string("entitlements")
        setName(of: view, for: audience)
        self["state_version"] = .integer(view.customer.stateVersion)
        self["evaluated_at"] = .integer(view.evaluatedAt.milliseconds)
        self["entitlements"] = .object(JSONObject(entitlements: view.entitlements))
        addExplanation(of: view, for: audience)
    }

    private mutating func setName(of view: CustomerView, for audience: Audience) {
        switch audience {
        case .server: self["app_user_id"] = .string(view.customer.id.rawValue)
        case .app(let name): self["app_user_id"] = .string(name.rawValue)
        }
    }

    /// A subscription.
    init(subscription state: SubscriptionState, appTransactionID: String?) {
        self.init()
        self["id"] = .string(state.id.rawValue)
        self["product_id"] = .string(state.productID.rawValue)
        self["group_id"] = .text(state.groupID?.rawValue)
        self["status"] = .string(state.status.rawValue)
        self["gives_access"] = .bool(state.givesAccess)
        self["period_type"] = .string(state.periodType.rawValue)
        self["ownership"] = .string(state.ownership.rawValue)
        self["started_at"] = .integer(state.startedAt.milliseconds)
        self["current_period_starts_at"] = .integer(state.periodStartsAt.milliseconds)
        self["current_period_ends_at"] = .integer(state.periodEndsAt.milliseconds)
        self["grace_expires_at"] = .time(state.graceExpiresAt)
        self["auto_renew"] = .bool(state.autoRenew)
        self["next_product_id"] = .text(state.nextProductID?.rawValue)
        self["billing_issue"] = .text(state.billingIssue?.rawValue)
        self["ended_because"] = .text(state.endReason?.rawValue)
        self["price"] = state.price.map { .integer($0.milliunits) } ?? .null
        self["currency"] = .text(state.price?.currency)
        self["storefront"] = .text(state.storefront)
        // A family or group member cannot manage or pay for it.
        let isPayer = state.ownership == .purchased
        self["management_url"] = .text(isPayer ? AppStoreLink.subscriptions : nil)
        self["payment_url"] = .text(isPayer && state.billingIssue != nil ? AppStoreLink.paymentMethods : nil)
        let next = state.nextPeriod
        self["renewal_price"] = next.price.map { .integer($0.milliunits) } ?? .null
        self["renewal_currency"] = .text(next.price?.currency)
        self["price_increase"] = .text(next.priceIncreaseAccepted.map { $0 ? "accepted" : "pending" })
        self["renewal_awaited_until"] = .time(next.awaitedUntil)
        self["pending_offer"] = next.offer.map { .object(JSONObject(offer: $0)) } ?? .null
        self["win_back_offer_ids"] = .array(next.winBackOfferIDs.map { .string($0) })
        self["app_transaction_id"] = .text(appTransactionID)
    }

    private init(offer: Offer) {
        self.init()
        self["type"] = .string(offer.kind.rawValue)
        self["id"] = .text(offer.identifier)
        self["payment"] = .text(offer.payment?.rawValue)
        self["period"] = .text(offer.period)
    }

    /// A one-time purchase.
    init(purchase state: OneTimePurchaseState, appTransactionID: String?) {
        self.init()
        self["id"] = .string(state.id.rawValue)
        self["product_id"] = .string(state.productID.rawValue)
        self["type"] = .string(state.kind.rawValue)
        self["quantity"] = .integer(Int64(state.quantity))
        self["gives_access"] = .bool(state.givesAccess)
        self["ownership"] = .string(state.ownership.rawValue)
        self["purchased_at"] = .integer(state.purchasedAt.milliseconds)
        self["revoked_at"] = .time(state.revokedAt)
        self["price"] = state.price.map { .integer($0.milliunits) } ?? .null
        self["currency"] = .text(state.price?.currency)
        self["storefront"] = .text(state.storefront)
        self["app_transaction_id"] = .text(appTransactionID)
    }
}
