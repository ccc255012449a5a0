import AppStoreModel

/// Readable texts for the server's names.
enum DisplayNames {
    private static let events = [
        "subscription.started": "subscribed", "subscription.resubscribed": "subscribed again",
        "subscription.upgraded": "upgraded", "subscription.prorated": "unused time of the old plan refunded",
        "subscription.renewed": "renewed", "subscription.recovered": "renewed after a failed charge",
        "subscription.refunded": "refunded", "subscription.refund_reversed": "refund reversed",
        "subscription.revoked": "sharing ended", "subscription.extended": "period extended",
        "subscription.entered_grace_period": "charge failed, grace period began",
        "subscription.entered_billing_retry": "charge failed, Apple tries again", "subscription.expired": "expired",
        "subscription.auto_renew_off": "renewal is off", "subscription.auto_renew_on": "renewal is on",
        "subscription.plan_changed": "plan changed", "subscription.plan_change_scheduled": "plan change scheduled",
        "subscription.plan_change_cancelled": "plan change cancelled",
        "subscription.price_increase_pending": "asked to agree to a higher price",
        "subscription.price_increase_accepted": "agreed to a higher price", "purchase.made": "bought",
        "purchase.refunded": "refunded", "purchase.refund_reversed": "refund reversed",
        "subscription.refund_requested": "asked for a refund", "purchase.refund_requested": "asked for a refund",
        "subscription.refund_declined": "refund declined", "purchase.refund_declined": "refund declined",
        "subscription.offer_redeemed": "redeemed an offer", "purchase.claimed": "purchase submitted",
        "purchase.claim_refused": "submitted a purchase of another customer, refused",
        "purchase.shared": "purchase shared", "purchase.lost": "purchase moved to another customer",
        "transfer.given": "purchase moved away by an operator",
        "transfer.received": "purchase received from an operator",
        "grant.given": "granted by an operator", "grant.ended": "grant ended",
        "customer.aliased": "joined with another identifier",
    ]

    /// The text of an event.
    static func of(event type: String) -> String {
        if let text = events[type] { return text }
        return of(type.split(separator: ".", maxSplits: 1).last.map(String.init) ?? type)
    }

    /// An API name with spaces for underscores.
    static func of(_ name: String) -> String { name.replacing("_", with: " ") }

    /// An amount of money, such as `9.99 USD`; an estimated amount, such as 1.708, is rounded and marked.
    static func price(_ milliunits: JSONValue?, _ currency: String?) -> String? {
        guard case .integer(let milliunits)? = milliunits, let currency else { return nil }
        let unit: UInt64 = isWithoutCents(currency) ? 1_000 : 10
        let rounded = (milliunits.magnitude + unit / 2) / unit * unit
        let (whole, rest) = rounded.quotientAndRemainder(dividingBy: 1_000)
        let cents = rest / 10
        let amount = isWithoutCents(currency) ? "\(whole)" : "\(whole).\(cents < 10 ? "0" : "")\(cents)"
        let about = rounded == milliunits.magnitude ? "" : "about "
        return "\(about)\(milliunits < 0 ? "-" : "")\(amount) \(currency)"
    }

    /// Currencies without minor units.
    ///
    /// - Source: ISO 4217.
    private static func isWithoutCents(_ currency: String) -> Bool {
        ["CLP", "JPY", "KRW", "VND", "PYG", "UGX"].contains(currency)
    }
}
