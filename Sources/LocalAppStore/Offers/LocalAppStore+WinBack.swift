import AppStoreModel

extension LocalAppStore {
    /// The win-back offers that the customer of a subscription can redeem at a time, best first.
    ///
    /// They are for former paying customers without billing retry. High priority comes first, then the order of the
    /// catalogue.
    ///
    /// - Source: App Store Connect, Set up win-back offers, eligibility.
    func eligibleWinBackOffers(of index: LedgerIndex<Subscription>, at time: Int64) -> [WinBackOfferPlan] {
        let subscription = ledger[index]
        guard !subscription.isLive, let offers = catalog.winBackOffers[subscription.groupId],
            ledger[subscription.latest].ownership == .purchased,
            (ledger[subscription.latest].expiresDate ?? time) <= time
        else { return [] }
        let paid = paidPeriods(of: index)
        guard let firstPaid = paid.first?.lowerBound, let lastEnd = paid.map(\.upperBound).max() else { return [] }
        let paidLength = paid.reduce(0) { $0 + Int64($1.count) }
        return offers.filter { offer in
            let isLongEnough = firstPaid + paidLength >= Self.date(firstPaid, plusMonths: offer.paidMonthsMin)
            let isLateEnough = time >= Self.date(lastEnd, plusMonths: offer.monthsSinceEndMin)
            let isEarlyEnough =
                offer.monthsSinceEndMax.map { time <= Self.date(lastEnd, plusMonths: $0) } ?? true
            let isOpen = time >= offer.startDate ?? .min && time < offer.endDate ?? .max
            return isLongEnough && isLateEnough && isEarlyEnough && isOpen
                && hasWaited(for: offer, subscription.account, at: time)
        }
    }

    /// The periods that the customer paid for and kept, each until it ended, was refunded, or was upgraded.
    private func paidPeriods(of index: LedgerIndex<Subscription>) -> [Range<Int64>] {
        ledger[ledger[index].account].transactions.compactMap { position in
            let transaction = ledger[position]
            guard transaction.subscription == index, transaction.price > 0, transaction.revocation == nil else {
                return nil
            }
            let end = min(transaction.coverageEnd, ledger.upgrades[position]?.date ?? .max)
            return end > transaction.purchaseDate ? transaction.purchaseDate..<end : nil
        }
    }

    private func hasWaited(
        for offer: WinBackOfferPlan,
        _ account: LedgerIndex<Account>,
        at time: Int64
    ) -> Bool {
        guard offer.monthsBetweenOffersMin > 0 else { return true }
        let redeemed = ledger[account].transactions.last {
            ledger[$0].offer?.type == .winBack && ledger[$0].offer?.identifier == offer.offerId
        }
        guard let redeemed else { return true }
        return time >= Self.date(ledger[redeemed].purchaseDate, plusMonths: offer.monthsBetweenOffersMin)
    }

    private static func date(_ time: Int64, plusMonths months: Int) -> Int64 {
        CalendarPeriod(iso8601: "P\(months)M")?.added(to: time) ?? time
    }
}
