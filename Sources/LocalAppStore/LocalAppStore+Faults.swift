import AppStoreModel

extension LocalAppStore {
    /// How long a notification waits at most for another one to overtake it, milliseconds.
    private static let reorderWaitMax = Instant.hour

    /// Lets other things go wrong from now on; faults that a delivery has met already stay.
    public mutating func replaceFaults(_ plan: FaultPlan) { faults = plan }

    /// What goes wrong with a call of an endpoint now; each call is asked about once.
    public mutating func fault(of endpoint: AppleEndpoint) -> APIFault? {
        for place in faults.calls.indices where faults.calls[place].strikes(endpoint) {
            return faults.calls[place].fault
        }
        return nil
    }

    /// What goes wrong with a real-time request now; each request is asked about once.
    mutating func realtimeFault(for purpose: RealtimePurpose) -> DeliveryFault? {
        for place in faults.realtime.indices where faults.realtime[place].strikes(purpose) {
            return faults.realtime[place].fault
        }
        return nil
    }

    /// Makes due what is due now, but for what a fault holds up; what a fault does on the way is kept with it.
    mutating func takeDueDeliveries() {
        for place in deliveries.take(dueAtOrBefore: now) {
            guard let fault = deliveryFault(of: place) else { continue }
            switch fault {
            case .delay(let time): deliveries.holdUp(place, until: max(now, time.added(to: now)))
            case .reorder: deliveries.letOvertake(place, until: now + Self.reorderWaitMax)
            case .drop, .duplicate, .truncate, .slow, .status, .reset: faultsUnderWay[place] = fault
            }
        }
    }

    /// The fault that an attempt meets; one that was held up is not held up again.
    private mutating func deliveryFault(of place: Int) -> DeliveryFault? {
        let type = notificationLog[place].notificationType
        let wasHeldUp = deliveries.wasHeldUp(place)
        for rule in faults.deliveries.indices {
            if wasHeldUp, faults.deliveries[rule].fault.holdsUp { continue }
            if faults.deliveries[rule].strikes(type) { return faults.deliveries[rule].fault }
        }
        return nil
    }
}
