import AppStoreModel
import LocalAppStore

extension StoreCoordinator {
    /// Up to so many deliveries of one instant go out strictly one after another.
    private static let inOrderMax = 16

    /// So many go out before what came of them is recorded and it is looked whether the store shall stop.
    private static let roundMax = 1_024

    /// Delivers until nothing is due at the present instant.
    ///
    /// Where much is due at once, as when thousands of subscriptions renew together, several are under way at a time;
    /// those about one subscription still follow each other.
    ///
    /// The endpoint may change meanwhile, as when a server comes back on another port: the rest goes to the new one.
    func deliver(_ report: inout AdvanceReport) async throws {
        var isFirst = true
        while case let due = dueDeliveries(), !due.isEmpty {
            // A store that stops finishes the round that is under way.
            if !isFirst { try checkRunning() }
            isFirst = false
            var delivered = DeliveredRound()
            for start in stride(from: 0, to: due.count, by: Self.roundMax) {
                // What is due is asked anew when the endpoint has changed.
                guard store.notificationURL == due[start].url, start == 0 || mayGoOn else { break }
                let next = DeliveryRound(url: due[start].url)
                let queues = Self.queues(due[start..<min(start + Self.roundMax, due.count)])
                round = next
                // What came of a round is recorded while the next one is under way.
                async let answers = deliverer.deliver(queues, in: next)
                let recording = Result { try record(delivered, &report) }
                delivered = DeliveredRound(queues: queues, answers: await answers)
                round = nil
                try recording.get()
            }
            try record(delivered, &report)
        }
    }

    private func record(_ delivered: DeliveredRound, _ report: inout AdvanceReport) throws {
        for (queue, answers) in zip(delivered.queues, delivered.answers) {
            for (delivery, answer) in zip(queue, answers) {
                if answer.result == .success { report.sent += 1 } else { report.failed += 1 }
                try record(answer, of: delivery)
            }
        }
    }

    /// Shares deliveries out so that those about one subscription are in one lane, in their order.
    private static func queues(_ due: ArraySlice<Delivery>) -> [[Delivery]] {
        guard due.count > inOrderMax else { return [Array(due)] }
        let count = HTTPNotificationDeliverer.queueCount
        var queues = [[Delivery]](repeating: [], count: count)
        for delivery in due {
            let subject = delivery.originalTransactionId ?? delivery.notificationUUID
            queues[subject.utf8.reduce(0) { ($0 &* 31 &+ Int($1)) & 0xffff } % count].append(delivery)
        }
        return queues.filter { !$0.isEmpty }
    }
}

/// Deliveries, and the answers to those that were made.
private struct DeliveredRound {
    var queues: [[Delivery]] = []
    var answers: [[DeliveryAnswer]] = []
}
