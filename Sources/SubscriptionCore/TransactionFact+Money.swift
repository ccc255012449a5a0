extension TransactionFact {
    /// What the customer paid; nil if somebody else paid.
    var paid: Money? { ownership == .purchased ? price : nil }

    /// An amount in the currency of the price; nil if nothing was paid.
    func amount(_ milliunits: Int64) -> Money? {
        paid.map { Money(milliunits: milliunits, currency: $0.currency) }
    }

    /// The refunded amount: the percentage that the store states, or all of the price if it states none.
    var refundedMilliunits: Int64 {
        guard let paid, let revocation, revocation.kind != .sharingEnded else { return 0 }
        return revocation.milliunits(of: paid.milliunits)
    }

    /// The amount that was refunded because another product of the group replaced this period: its unused part.
    ///
    /// No signed fact contains the amount. Together with refunds it never exceeds the price.
    ///
    /// - Parameter bought: The customer's own purchases within the same original purchase.
    func proratedMilliunits(by bought: [TransactionFact]) -> Int64 {
        // A later statement may contain the percentage. Then it is a refund and is not computed again.
        if isUpgraded, revocation?.kind == .proratedRefund { return 0 }
        guard let whole = paid?.milliunits, whole > 0, let expiresAt, let time = replacedAt(by: bought) else {
            return 0
        }
        let (length, isTooLong) = expiresAt.milliseconds.subtractingReportingOverflow(purchasedAt.milliseconds)
        guard !isTooLong, length > 0 else { return 0 }
        // The product of price and milliseconds needs more than 64 bits; the quotient is at most the price.
        let product = whole.multipliedFullWidth(by: expiresAt.milliseconds - time.milliseconds)
        return min(length.dividingFullWidth(product).quotient, whole - refundedMilliunits)
    }

    /// When another purchase replaced it; nil if none did.
    ///
    /// - Parameter bought: The customer's own purchases within the same original purchase.
    func replacedAt(by bought: [TransactionFact]) -> Timestamp? {
        bought.lazy.filter { isReplaced(by: $0) }.map { max($0.purchasedAt, purchasedAt) }.min()
    }

    /// Whether the customer bought it; false for renewals.
    var isByHand: Bool { !isRenewal }

    /// Whether the customer bought another product of the group while this period was running, or after it was paid and
    /// before it began. The store applies the new product at once, and its notification contains only the new
    /// transaction.
    func isReplaced(by other: TransactionFact) -> Bool {
        guard !other.isRenewal, other.productID != productID, let expiresAt else { return false }
        // A period that was already revoked cannot be replaced.
        if let revocation, revocation.at < other.purchasedAt { return false }
        if signedAt > other.purchasedAt, !isUpgraded { return false }
        if other.purchasedAt < purchasedAt || (other.purchasedAt == purchasedAt && other.id < id) {
            return isRenewedEarly(before: other)
        }
        return other.purchasedAt < expiresAt
    }

    /// Whether it is the early renewal of a period that another purchase replaced: the store charges for the next
    /// period within the last day of the current one.
    private func isRenewedEarly(before other: TransactionFact) -> Bool {
        guard isRenewal, let otherEnd = other.expiresAt, purchasedAt < otherEnd else { return false }
        let (lead, overflow) = purchasedAt.milliseconds.subtractingReportingOverflow(other.purchasedAt.milliseconds)
        return !overflow && lead <= Self.renewalLeadMilliseconds
    }

    /// How long before the end of a period the store begins to charge for the next one.
    static let renewalLeadMilliseconds: Int64 = 24 * 60 * 60 * 1000

    /// Whether another transaction adds seats to this period.
    func gainsSeats(by other: TransactionFact) -> Bool {
        guard !other.isRenewal, other.productID == productID, let expiresAt else { return false }
        return purchasedAt < other.purchasedAt && other.purchasedAt < expiresAt && other.expiresAt == expiresAt
    }
}

extension Revocation {
    /// The part of a price that is returned: the percentage that the store states, or all of it if it states none.
    func milliunits(of price: Int64) -> Int64 {
        let whole = max(0, price)
        guard let percentage else { return whole }
        let (product, overflow) = whole.multipliedReportingOverflow(by: Int64(max(0, min(100_000, percentage))))
        return overflow ? whole : product / 100_000
    }
}
