/// The kinds of purchases. A subscription of each kind renews by a plan of its own.
enum PlanKind: Hashable, Sendable {
    case standard
    /// A year that is paid by the month.
    case commitment
    case seats
    case advancedCommerce

    /// Whether Family Sharing applies; seats are shared by assignment instead.
    var isSharedInFamilies: Bool { self == .standard || self == .commitment }
}

/// How a subscription would have renewed without the refund of its period.
struct RefundedPlan: Hashable, Sendable, Codable {
    /// The product of the next period.
    let renewalProductId: String
    /// The Advanced Commerce items of the next period.
    let items: AdvancedCommerceTerms?
    /// The seats of the next period, without claims and members.
    let seats: SeatPlan?
    /// The month that was paid last.
    let commitment: Commitment?
}

extension Ledger {
    /// The kind of purchase that a transaction pays.
    func planKind(of index: LedgerIndex<Transaction>) -> PlanKind {
        if advancedCommerce.purchases[index] != nil { return .advancedCommerce }
        if seats.revokedSeats[index] != nil { return .seats }
        return committedMonths[index] == nil ? .standard : .commitment
    }

    /// The plan of a subscription, to be kept while its period is refunded.
    func refundedPlan(of index: LedgerIndex<Subscription>) -> RefundedPlan {
        let seats = self.seats.plans[index].map {
            SeatPlan(renewalQuantity: $0.renewalQuantity, invitationManagement: $0.invitationManagement)
        }
        return RefundedPlan(
            renewalProductId: self[index].renewalProductId,
            items: advancedCommerce.subscriptions[index],
            seats: seats,
            commitment: commitments[index]
        )
    }
}

extension LocalAppStore {
    /// Restores the plan that a period had before its refund, without a pending price increase.
    ///
    /// A running subscription with seats or of the standard kind keeps its plan, with its members and pending changes.
    mutating func restorePlan(of period: LedgerIndex<Transaction>, for index: LedgerIndex<Subscription>) {
        let (kind, replaced) = (ledger.planKind(of: period), ledger.planKind(of: ledger[index].latest))
        if ledger[index].isLive, kind == .standard || kind == .seats { return }
        let plan = ledger.refundedPlans?[period]
        guard plan != nil || kind == .standard else { return }
        let hadOtherPrices = [kind, replaced].contains { $0 == .seats || $0 == .advancedCommerce }
        if hadOtherPrices { ledger[priceOf: index] = nil }
        ledger[termsOf: index] = plan?.items.map { items in
            var terms = items.withoutIncreases()
            terms.consistencyToken = identifiers.nextUUID()
            return terms
        }
        ledger[seatsOf: index] = plan?.seats
        ledger[commitmentOf: index] = plan?.commitment
        ledger[index].renewalProductId = plan?.renewalProductId ?? ledger[period].productId
    }
}

extension AdvancedCommerceTerms {
    /// The terms without pending price increases.
    fileprivate func withoutIncreases() -> AdvancedCommerceTerms {
        var terms = self
        for position in items.indices {
            terms.items[position].increasedPrice = nil
            terms.items[position].dependentSKUs = nil
        }
        return terms
    }
}
