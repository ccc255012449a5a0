import AppStoreModel

/// A subscription with seats: an ordinary one, of which each period sells several.
struct SeatRenewal: RenewalPlan {
    let single: StandardRenewal
    /// The seats of the next period.
    let seats: Int
    /// The seats of the running period that members have.
    var assignedSeats = 0
    /// The seats of the running period, without refunded ones.
    var runningSeats = 0

    var productId: String? { single.productId }
    var period: CalendarPeriod { single.period }
    var cycle: Subscription.BillingCycle { single.cycle }
    var preparation: [LifecycleAction] { [] }
    var lacksConsent: Bool { single.lacksConsent }
    /// Members who lose their seats keep them to the end of the period.
    var canRenewEarly: Bool { single.canRenewEarly && seats >= assignedSeats }
    var retry: RetryTerms { single.retry }
    var beginning: [LifecycleAction] { [.releaseSeats(beyond: runningSeats, withMembers: true)] }

    func sell(_ productId: String, from start: Int64, in cycle: Subscription.BillingCycle) -> [LifecycleAction] {
        single.sell(productId, from: start, in: cycle).map { action in
            guard case .sell(var sale) = action else { return action }
            sale.price *= Int64(seats)
            sale.quantity = seats
            return .sell(sale)
        } + [.releaseSeats(beyond: seats, withMembers: true)]
    }
}
