/// The developer's own grace periods of entitlements, while the store retries a charge.
///
/// A subscription in billing retry changes its state with time when such a period ends and when the store stops
/// retrying. `nextChangeAt` is the first of these times after the state was derived. A grace period that ends at that
/// time or later is still running.
extension EntitlementRule {
    private static let dayMilliseconds: Int64 = 24 * 60 * 60 * 1000

    /// Sets `nextChangeAt` of a state in billing retry to the next end of an own grace period; returns other states
    /// unchanged.
    public func timed(_ state: PurchaseState, at now: Timestamp) -> PurchaseState {
        guard case .subscription(var subscription) = state, subscription.status == .inBillingRetry else { return state }
        let ends = definitions(of: subscription.productID).compactMap { graceEnd(of: $0, in: subscription) }
        subscription.nextChangeAt = (ends.filter { $0 > now } + [subscription.nextChangeAt].compactMap(\.self)).min()
        return .subscription(subscription)
    }

    /// The end of the own grace period of an entitlement; nil if it is not running.
    func runningGraceEnd(of id: EntitlementID, in state: SubscriptionState) -> Timestamp? {
        // The next change is after now (`timed` includes this end in it). So an end that has passed is before it.
        guard
            let next = state.nextChangeAt,
            let definition = definitions(of: state.productID).first(where: { $0.id == id }),
            let end = graceEnd(of: definition, in: state), end >= next
        else { return nil }
        return end
    }

    /// Adds the steps about an own grace period to an explanation.
    ///
    /// - Parameters:
    ///   - explanation: The explanation of the subscription's state.
    ///   - id: The entitlement.
    ///   - state: The subscription.
    public func addOwnGrace(
        to explanation: inout Explanation,
        of id: EntitlementID,
        in state: SubscriptionState
    ) {
        guard
            let definition = definitions(of: state.productID).first(where: { $0.id == id }),
            definition.billingRetryGraceDays > 0
        else { return }
        let end = state.periodEndsAt.adding(
            milliseconds: Int64(definition.billingRetryGraceDays) * Self.dayMilliseconds
        )
        if state.status == .inBillingRetry {
            let isRunning = runningGraceEnd(of: id, in: state) != nil
            explanation.steps += [
                Explanation.Step(
                    .policy,
                    "The entitlement is defined to stay for \(definition.billingRetryGraceDays) days after the "
                        + "period's end "
                        + "while the store tries again."
                ),
                Explanation.Step(
                    .clock(end),
                    isRunning ? "It lasts until that time." : "That ended at that time."
                ),
            ]
            if isRunning {
                explanation.nextChange = Explanation.NextChange(at: end, givesAccess: false, status: .inBillingRetry)
            }
        } else if let change = explanation.nextChange, change.status == .inBillingRetry, end > change.at {
            explanation.nextChange = Explanation.NextChange(at: change.at, givesAccess: true, status: change.status)
        }
    }

    private func graceEnd(of definition: EntitlementDefinition, in state: SubscriptionState) -> Timestamp? {
        guard state.status == .inBillingRetry, definition.billingRetryGraceDays > 0 else { return nil }
        return state.periodEndsAt.adding(
            milliseconds: Int64(definition.billingRetryGraceDays) * Self.dayMilliseconds
        )
    }
}
