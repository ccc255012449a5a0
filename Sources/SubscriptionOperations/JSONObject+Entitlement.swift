package import AppStoreModel
package import SubscriptionCore

extension JSONObject {
    /// What a customer may use, by identifier.
    package init(entitlements: [Entitlement]) {
        self.init()
        for entitlement in entitlements {
            self[entitlement.id.rawValue] = .object(JSONObject(entitlement: entitlement))
        }
    }

    /// An entitlement, without its identifier.
    package init(entitlement: Entitlement) {
        self.init()
        self["active"] = .bool(entitlement.isActive)
        self["inactive_reason"] = .text(entitlement.inactiveReason?.rawValue)
        self["expires_at"] = .time(entitlement.expiresAt)
        self["grace_expires_at"] = .time(entitlement.graceExpiresAt)
        self["product_id"] = .text(entitlement.productID?.rawValue)
        self["will_renew"] = .bool(entitlement.willRenew)
        self["billing_issue"] = .bool(entitlement.hasBillingIssue)
        self["source"] = .string(entitlement.source.rawValue)
    }
}

extension JSONValue {
    /// Milliseconds, or null.
    package static func time(_ time: Timestamp?) -> JSONValue {
        time.map { .integer($0.milliseconds) } ?? .null
    }

    /// A text, or null.
    package static func text(_ text: String?) -> JSONValue {
        text.map { .string($0) } ?? .null
    }
}
