import SubscriptionCore
import SubscriptionStorage

/// Members of a campaign in an order at Apple.
extension RenewalExtension {
    /// The code of a member in an order about which Apple announced a failure, until Apple is asked for its period.
    static let orderFailed = "extension_order_failed"
    /// The clocks of Apple and of this server may differ by that much.
    ///
    /// - Units: milliseconds.
    static let clockTolerance: Int64 = 600_000

    /// Apple announced that an order did not extend it, and does not name the order. While its own order is open,
    /// nothing else may extend it.
    mutating func noteOrderFailure() {
        failure = StoredFailure(
            code: Self.orderFailed,
            message: "Apple's order did not extend it. When the order is complete, the server looks at the end of the "
                + "period, and asks about it alone if the end has not moved."
        )
    }

    /// Its order ended. Apple is asked for the period first: an hour later, or at once if Apple announced a failure,
    /// which may be that of another order.
    ///
    /// - Parameter order: The order; nil if there is none.
    /// - Returns: Whether something changed.
    mutating func noteEnd(of order: MassExtensionOrder?, at now: Timestamp) -> Bool {
        guard state == .ordered, checkAt == nil else { return false }
        if let order, order.state == .ended, order.wasAccepted || order.failure?.code == MassExtensionOrder.unfinished {
            noteUnknown(Self.orderUnfinished)
            return true
        }
        guard let order, order.wasAccepted else {
            // Apple never had it.
            (state, origin, failure) = (.planned, .request, nil)
            return true
        }
        let end = order.completedAt ?? now
        guard
            failure?.code == Self.orderFailed
                || end.adding(milliseconds: MassExtensionOrder.announcedWithin) <= now
        else { return false }
        checkAt = now
        return true
    }

    /// Apple's order is complete, and the end of the period did not move. It is asked about alone, and keeps the origin
    /// until then: a late announcement may still say that the order extended it.
    ///
    /// In the sandbox an extension may leave the end where it is. If Apple says that it extended everybody there, it is
    /// not asked about, because a second extension would count toward Apple's limit.
    mutating func noteOrderWithoutEffect(
        _ ledger: PurchaseLedger,
        mayBeInPlace: Bool,
        at now: Timestamp
    ) {
        if let message = newPeriod(in: ledger, at: now) { return noteUnknown(message) }
        if mayBeInPlace { return noteUnknown(Self.countedAsExtended) }
        (state, checkAt, failure) = (.planned, nil, nil)
    }

    /// Looks once more before Apple is asked about it alone: whether the order extended it after all.
    ///
    /// - Parameter others: The other extensions of the subscription, which may explain a new end.
    /// - Returns: Whether it has a result.
    mutating func noteLateResult(
        _ ledger: PurchaseLedger,
        others: [RenewalExtension],
        app: AppID,
        at now: Timestamp
    ) -> Bool {
        guard origin == .order else { return false }
        if let end = movedEnd(in: ledger, others: others, app: app) {
            noteEnd(end)
            return true
        }
        if mayBeContained(in: ledger, others: others, app: app) {
            noteUnknown(Self.extendedWithOthers)
            return true
        }
        guard let message = newPeriod(in: ledger, at: now) else { return false }
        noteUnknown(message)
        return true
    }

    /// Which period began while Apple carried out the order, for people; nil if none did.
    private func newPeriod(in ledger: PurchaseLedger, at now: Timestamp) -> String? {
        guard let period = ledger.extendablePeriod(at: now), period.id != transactionID else { return nil }
        let isOther = ledger[period.id].map { $0.productID != productID } ?? false
        return isOther ? Self.movedMeanwhile : Self.renewedMeanwhile
    }

    /// Whether an order at Apple may still have extended it: it has no result, or the obstacle that it met later.
    var mayBeExtendedByOrder: Bool {
        switch state {
        case .ordered: true
        case .planned, .refused: origin == .order
        case .asked, .extended, .skipped, .unknown: false
        }
    }

    /// Whether a notification about the subscription may be about its order: Apple signed it after the server asked for
    /// the order first. The server may learn later that Apple has it.
    func belongs(to order: MassExtensionOrder?, at signedAt: Timestamp) -> Bool {
        guard let order, order.mayBeCarriedOut else { return false }
        // Orders of earlier versions have no time of the first call. Their members were enlisted before it.
        let asked = order.askedAt ?? min(createdAt, order.acceptedAt ?? createdAt)
        return signedAt >= asked.adding(milliseconds: -Self.clockTolerance)
    }

    /// Whether Apple may have announced with a notification that its order extended it. A member whose order is over
    /// may wait for a call or have an obstacle for ever, and later announcements are about other extensions.
    func mayBeExtended(by order: MassExtensionOrder?, at signedAt: Timestamp) -> Bool {
        guard belongs(to: order, at: signedAt) else { return false }
        guard state != .ordered, let order, !order.isOpen, let end = order.completedAt else { return true }
        return signedAt <= end.adding(milliseconds: MassExtensionOrder.extendedWithin)
    }

    static let extendedWithOthers =
        "The period was extended by more days than the order's. That may contain the order's extension and another "
        + "one. Look at the end of the period. Extend it alone only if the order did not extend it."
    private static let renewedMeanwhile =
        "The subscription was renewed while Apple carried out the order, and nothing shows whether Apple extended the "
        + "new period. Look at its end. Extend it alone only if it was not extended."
    private static let movedMeanwhile =
        "The subscription moved to another product while Apple carried out the order, and nothing shows whether Apple "
        + "extended it. Look at the end of its period. Extend it alone only if it was not extended."
    private static let countedAsExtended =
        "Apple's order failed for nobody and extended at least as many as the campaign has members, but the end of "
        + "this period did not change. In the sandbox an extension may leave it where it is. Extend it alone if the "
        + "customer should have a later end."
    private static let orderUnfinished =
        "Apple did not say within a week that the order is complete, and may still extend it. Look at the end of the "
        + "period in some days. Extend it alone only if it was not extended."
}
