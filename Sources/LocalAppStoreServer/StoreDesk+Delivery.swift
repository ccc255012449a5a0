import AppStoreModel
import LocalAppStore

extension StoreDesk {
    /// Up to so many deliveries of one instant go out strictly one after another.
    private static let inOrderMax = 16

    /// In how many lanes more than those go out, as many as connections that a client keeps to one host.
    private static let lanes = 8

    /// Delivers until nothing is due at the present instant.
    ///
    /// Where much is due at once, as when thousands of subscriptions renew together, several are under way at a time;
    /// those about one subscription still follow each other.
    ///
    /// The endpoint may change meanwhile, as when a server comes back on another port: the rest goes to the new one.
    func deliver(_ report: inout AdvanceReport) async throws {
        while case let due = dueDeliveries(), !due.isEmpty {
            let tally: DeliveryTally
            if due.count <= Self.inOrderMax {
                tally = try await deliver(due)
            } else {
                tally = try await deliverInLanes(due)
            }
            report.sent += tally.sent
            report.failed += tally.failed
        }
    }

    /// Delivers one after another, until the endpoint changes.
    private func deliver(_ due: [Delivery]) async throws -> DeliveryTally {
        var tally = DeliveryTally()
        for delivery in due {
            guard store.notificationURL == delivery.url else { break }
            let answer = try await deliverer.deliver(delivery)
            if answer.result == .success { tally.sent += 1 } else { tally.failed += 1 }
            // Given up meanwhile, as the others of this list: what is due now is asked anew.
            guard try record(answer, of: delivery) else { break }
        }
        return tally
    }

    private func deliverInLanes(_ due: [Delivery]) async throws -> DeliveryTally {
        var lanes = [[Delivery]](repeating: [], count: Self.lanes)
        for delivery in due {
            let subject = delivery.originalTransactionId ?? delivery.notificationUUID
            lanes[subject.utf8.reduce(0) { ($0 &* 31 &+ Int($1)) & 0xffff } % Self.lanes].append(delivery)
        }
        return try await withThrowingTaskGroup(of: DeliveryTally.self) { group in
            for lane in lanes where !lane.isEmpty {
                group.addTask { try await self.deliver(lane) }
            }
            var whole = DeliveryTally()
            for try await tally in group {
                whole.sent += tally.sent
                whole.failed += tally.failed
            }
            return whole
        }
    }
}

/// How many attempts succeeded and how many failed.
private struct DeliveryTally: Sendable {
    var sent = 0
    var failed = 0
}
