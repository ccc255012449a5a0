public import AppStoreModel

extension LocalAppStore {
    /// The maximum time that a notification waits for another one to overtake it, milliseconds.
    private static let reorderWaitMax = Milliseconds.hour

    /// Replaces the injected faults; faults that already affect a delivery stay.
    public mutating func replaceFaults(_ plan: FaultPlan) { faults = plan }

    /// The fault of a call to an endpoint now; ask once per call.
    public mutating func fault(of endpoint: AppStoreServerCall.Identifier) -> APIFault? {
        for position in faults.calls.indices where faults.calls[position].occurs(for: endpoint) {
            return faults.calls[position].fault
        }
        return nil
    }

    /// The fault of a realtime request now; ask once per request.
    mutating func realtimeFault(for purpose: RealtimePurpose) -> DeliveryFault? {
        for position in faults.realtime.indices where faults.realtime[position].occurs(for: purpose) {
            return faults.realtime[position].fault
        }
        return nil
    }

    /// Makes deliveries due, unless a fault delays them; records the faults that affect their transfer.
    mutating func takeDueDeliveries() {
        for position in deliveries.take(dueAtOrBefore: now) {
            guard let fault = deliveryFault(of: position) else { continue }
            switch fault {
            case .delay(let time): deliveries.holdUp(position, until: max(now, time.added(to: now)))
            case .reorder: deliveries.letOvertake(position, until: now + Self.reorderWaitMax)
            case .drop, .duplicate, .truncate, .slow, .status, .reset: faultsUnderWay[position] = fault
            }
        }
    }

    /// The fault of an attempt; a delayed attempt is not delayed again.
    private mutating func deliveryFault(of position: Int) -> DeliveryFault? {
        let type = notificationLog[position].notificationType
        let wasHeldUp = deliveries.wasHeldUp(position)
        for rule in faults.deliveries.indices {
            if wasHeldUp, faults.deliveries[rule].fault.holdsUp { continue }
            if faults.deliveries[rule].occurs(for: type) { return faults.deliveries[rule].fault }
        }
        return nil
    }
}
