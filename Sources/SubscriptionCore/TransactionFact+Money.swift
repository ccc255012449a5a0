extension TransactionFact {
    /// What the customer paid; nothing for what somebody else paid.
    var paid: Money? { ownership == .purchased ? price : nil }

    /// An amount in the currency that was paid in; absent where nothing was.
    func amount(_ milliunits: Int64) -> Money? {
        paid.map { Money(milliunits: milliunits, currency: $0.currency) }
    }

    /// What the customer got back by refunds, by the share that the store names; all of it where it names none.
    var refundedMilliunits: Int64 {
        guard let paid, let revocation, revocation.kind != .sharingEnded else { return 0 }
        let whole = max(0, paid.milliunits)
        guard let percentage = revocation.percentage else { return whole }
        let (product, overflow) = whole.multipliedReportingOverflow(by: Int64(max(0, min(100_000, percentage))))
        return overflow ? whole : product / 100_000
    }

    /// What the customer got back because another product of the group took this period's place: the unused part.
    ///
    /// No signed fact names the amount. Together with refunds it is never more than the price.
    ///
    /// - Parameter bought: What the customer bought by hand, of the same purchase.
    func proratedMilliunits(by bought: [TransactionFact]) -> Int64 {
        // A later statement may name the share itself: it is a refund then, and not computed again.
        if isUpgraded, revocation?.kind == .proratedRefund { return 0 }
        guard let whole = paid?.milliunits, whole > 0, let expiresAt, let instant = replacedAt(by: bought) else {
            return 0
        }
        let (length, isTooLong) = expiresAt.milliseconds.subtractingReportingOverflow(purchasedAt.milliseconds)
        guard !isTooLong, length > 0 else { return 0 }
        // A price times milliseconds needs more than 64 bits; the quotient is at most the price.
        let product = whole.multipliedFullWidth(by: expiresAt.milliseconds - instant.milliseconds)
        return min(length.dividingFullWidth(product).quotient, whole - refundedMilliunits)
    }

    /// When another purchase took its place; nil where none did.
    ///
    /// - Parameter bought: What the customer bought by hand, of the same purchase.
    func replacedAt(by bought: [TransactionFact]) -> Timestamp? {
        bought.lazy.filter { isReplaced(by: $0) }.map { max($0.purchasedAt, purchasedAt) }.min()
    }

    /// Whether the customer bought it, and no renewal did.
    var isByHand: Bool { !isRenewal }

    /// Whether the customer bought another product of the group while this period ran, or was paid for and about to
    /// begin: the store puts it into force at once, and its notification carries only the new transaction.
    func isReplaced(by other: TransactionFact) -> Bool {
        guard !other.isRenewal, other.productID != productID, let expiresAt else { return false }
        // What was taken back before is no longer there to be replaced, and a later statement says itself what it is.
        if let revocation, revocation.at < other.purchasedAt { return false }
        if signedAt > other.purchasedAt, !isUpgraded { return false }
        if other.purchasedAt < purchasedAt || (other.purchasedAt == purchasedAt && other.id < id) {
            return isRenewedEarly(before: other)
        }
        return other.purchasedAt < expiresAt
    }

    /// Whether it was to follow the period that another purchase took the place of: the store renews within the last
    /// day of a period, and charges for the next before that begins.
    private func isRenewedEarly(before other: TransactionFact) -> Bool {
        guard isRenewal, let otherEnd = other.expiresAt, purchasedAt < otherEnd else { return false }
        let (lead, overflow) = purchasedAt.milliseconds.subtractingReportingOverflow(other.purchasedAt.milliseconds)
        return !overflow && lead <= Self.renewalLeadMilliseconds
    }

    /// How long before the end of a period the store begins to charge for the next.
    static let renewalLeadMilliseconds: Int64 = 24 * 60 * 60 * 1000

    /// Whether another transaction adds to this period what ends with it: seats.
    func gainsSeats(by other: TransactionFact) -> Bool {
        guard !other.isRenewal, other.productID == productID, let expiresAt else { return false }
        return purchasedAt < other.purchasedAt && other.purchasedAt < expiresAt && other.expiresAt == expiresAt
    }
}
