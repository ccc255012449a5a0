import AppStoreModel

/// The server's answer about a customer, in one sentence.
struct DemoAnswer: Sendable {
    let customer: ServedCustomer

    /// Whether the customer has access now, and why.
    var text: String {
        guard let subscription = customer.subscriptions.last else {
            return customer.entitlements.values.contains(where: \.active) ? "access without end" : "no access"
        }
        return "\(subscription.productId)  \(sentence(about: subscription))"
    }

    private func sentence(about subscription: ServedSubscription) -> String {
        let end = Self.day(subscription.currentPeriodEndsAt)
        switch subscription.status {
        case "active": return access(subscription, until: end)
        case "in_grace_period":
            let until = customer.entitlements.values.compactMap(\.graceExpiresAt).max().map(Self.day) ?? end
            return "access until \(until), a grace period: the renewal of \(end) failed, and Apple keeps trying"
        case "in_billing_retry": return "no access: the renewal of \(end) failed, and Apple keeps trying"
        case "expired": return "no access: it ended on \(end)"
        case "revoked": return "no access: it was refunded"
        default: return subscription.status
        }
    }

    private func access(_ subscription: ServedSubscription, until end: String) -> String {
        if subscription.periodType == "trial" { return "access: a free trial until \(end)" }
        if subscription.ownership == "FAMILY_SHARED" { return "access until \(end), shared by a family member" }
        guard subscription.autoRenew else { return "access until \(end): renewal is turned off" }
        guard let price = subscription.price, let currency = subscription.currency else {
            return "access; renews on \(end)"
        }
        return "access; renews on \(end) for \(DemoMoney.text(thousandths: price, currency: currency))"
    }

    /// `3 February 2027`.
    static func day(_ milliseconds: Int64) -> String {
        let months = [
            "January", "February", "March", "April", "May", "June", "July", "August", "September", "October",
            "November", "December",
        ]
        let date = CivilDate(daysSinceEpoch: Int((Double(milliseconds) / 86_400_000).rounded(.down)))
        return "\(date.day) \(months[date.month - 1]) \(date.year)"
    }
}
