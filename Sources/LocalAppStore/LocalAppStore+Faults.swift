import AppStoreModel

extension LocalAppStore {
    /// How long a notification waits at most for another one to overtake it, milliseconds.
    private static let reorderWaitMax = Instant.hour

    /// Lets other things go wrong from now on; faults that a delivery has met already stay.
    public mutating func replaceFaults(_ plan: FaultPlan) { faults = plan }

    /// What goes wrong with a call of an endpoint now; each call is asked about once.
    public mutating func fault(of endpoint: AppleEndpoint) -> APIFault? {
        for position in faults.calls.indices where faults.calls[position].strikes(endpoint) {
            return faults.calls[position].fault
        }
        return nil
    }

    /// What goes wrong with a real-time request now; each request is asked about once.
    mutating func realtimeFault(for purpose: RealtimePurpose) -> DeliveryFault? {
        for position in faults.realtime.indices where faults.realtime[position].strikes(purpose) {
            return faults.realtime[position].fault
        }
        return nil
    }

    /// Makes due what is due now, but for what a fault holds up; what a fault does on the way is kept with it.
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

    /// The fault that an attempt meets; one that was held up is not held up again.
    private mutating func deliveryFault(of position: Int) -> DeliveryFault? {
        let type = notificationLog[position].notificationType
        let wasHeldUp = deliveries.wasHeldUp(position)
        for rule in faults.deliveries.indices {
            if wasHeldUp, faults.deliveries[rule].fault.holdsUp { continue }
            if faults.deliveries[rule].strikes(type) { return faults.deliveries[rule].fault }
        }
        return nil
    }
}
