/// Own grace periods of entitlements, while the store tries to charge again.
///
/// A subscription's state in billing retry changes by the clock where such a period ends, and where the store gives up.
/// Its next change is the first of these that was ahead when the state was derived: what ends then or later still runs,
/// what ended before is over.
extension EntitlementRule {
    private static let dayMilliseconds: Int64 = 24 * 60 * 60 * 1000

    /// A state with the instant at which an own grace period ends next; any other state as it is.
    public func timed(_ state: PurchaseState, at now: Timestamp) -> PurchaseState {
        guard case .subscription(var subscription) = state, subscription.status == .inBillingRetry else { return state }
        let ends = definitions(of: subscription.productID).compactMap { graceEnd(of: $0, in: subscription) }
        subscription.nextChangeAt = (ends.filter { $0 > now } + [subscription.nextChangeAt].compactMap(\.self)).min()
        return .subscription(subscription)
    }

    /// When the own grace period of an entitlement ends, while it runs.
    func runningGraceEnd(of id: EntitlementID, in state: SubscriptionState) -> Timestamp? {
        guard
            let next = state.nextChangeAt,
            let definition = definitions(of: state.productID).first(where: { $0.id == id }),
            let end = graceEnd(of: definition, in: state), end >= next
        else { return nil }
        return end
    }

    /// Adds what an own grace period has to do with an answer.
    ///
    /// - Parameters:
    ///   - explanation: Why the subscription stands where it does.
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
                    isRunning ? "It lasts until that instant." : "That ended at that instant."
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
