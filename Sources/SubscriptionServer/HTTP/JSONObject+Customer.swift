import AppStoreModel
import SubscriptionCore
import SubscriptionOperations
import SubscriptionStorage

extension JSONObject {
    /// A customer as the contract has it.
    ///
    /// - Parameter namesOthers: Whether to name the other customer of a claim that was refused.
    init(customer view: CustomerView, namesOthers: Bool = false) {
        self.init()
        self["object"] = .string("customer")
        self["app_user_id"] = .string(view.customer.id.rawValue)
        self["aliases"] = .array(view.customer.profile.aliases.map { .string($0.rawValue) })
        self["first_seen_at"] = .integer(view.customer.firstSeenAt.milliseconds)
        self["state_version"] = .integer(view.customer.stateVersion)
        self["evaluated_at"] = .integer(view.evaluatedAt.milliseconds)
        self["entitlements"] = .object(JSONObject(entitlements: view.entitlements))
        self["subscriptions"] = .array(view.subscriptions.map { .object(JSONObject(subscription: $0)) })
        self["purchases"] = .array(view.purchases.map { .object(JSONObject(purchase: $0)) })
        var offers = JSONObject()
        for (group, eligible) in view.introductoryEligibility.sorted(by: { $0.key < $1.key }) {
            var offer = JSONObject()
            offer["introductory_eligible"] = .bool(eligible)
            offers[group.rawValue] = .object(offer)
        }
        self["offers"] = .object(offers)
        if !view.refusedClaims.isEmpty { addRefusedClaims(view.refusedClaims, namesOthers: namesOthers) }
        addExplanation(of: view)
    }

    /// The small answer that apps poll.
    init(entitlementsOf view: CustomerView) {
        self.init()
        self["object"] = .string("entitlements")
        self["app_user_id"] = .string(view.customer.id.rawValue)
        self["state_version"] = .integer(view.customer.stateVersion)
        self["evaluated_at"] = .integer(view.evaluatedAt.milliseconds)
        self["entitlements"] = .object(JSONObject(entitlements: view.entitlements))
        addExplanation(of: view)
    }

    private init(entitlements: [Entitlement]) {
        self.init()
        for entitlement in entitlements {
            self[entitlement.id.rawValue] = .object(JSONObject(entitlement: entitlement))
        }
    }

    /// An entitlement, without its identifier.
    init(entitlement: Entitlement) {
        self.init()
        self["active"] = .bool(entitlement.isActive)
        self["expires_at"] = .time(entitlement.expiresAt)
        self["grace_expires_at"] = .time(entitlement.graceExpiresAt)
        self["product_id"] = .text(entitlement.productID?.rawValue)
        self["will_renew"] = .bool(entitlement.willRenew)
        self["billing_issue"] = .bool(entitlement.hasBillingIssue)
        self["source"] = .string(entitlement.source.rawValue)
    }

    private init(subscription state: SubscriptionState) {
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
    }

    private init(purchase state: OneTimePurchaseState) {
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
    }
}

extension JSONValue {
    /// Milliseconds, or null.
    static func time(_ time: Timestamp?) -> JSONValue {
        time.map { .integer($0.milliseconds) } ?? .null
    }

    /// A text, or null.
    static func text(_ text: String?) -> JSONValue {
        text.map { .string($0) } ?? .null
    }
}
