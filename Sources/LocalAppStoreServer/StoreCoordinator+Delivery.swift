import AppStoreModel
import LocalAppStore

extension StoreCoordinator {
    /// Up to this many deliveries of one time are strictly sequential.
    private static let inOrderMax = 16

    /// The deliveries of one round. After each round the results are recorded, and the store checks whether it should
    /// stop.
    private static let roundMax = 1_024

    /// Delivers until nothing is due at the current time.
    ///
    /// Many deliveries, for example after thousands of renewals, run concurrently. Those about one subscription stay in
    /// order.
    ///
    /// The endpoint may change during the delivery, for example when a server restarts on another port. The rest goes
    /// to the new endpoint.
    func deliver(_ report: inout AdvanceReport) async throws {
        var isFirst = true
        while case let due = dueDeliveries(), !due.isEmpty {
            // A store that stops completes the current round.
            if !isFirst { try checkRunning() }
            isFirst = false
            var delivered = DeliveredRound()
            for start in stride(from: 0, to: due.count, by: Self.roundMax) {
                // The due deliveries are read again after a change of the endpoint.
                guard store.notificationURL == due[start].url, start == 0 || mayGoOn else { break }
                let next = DeliveryRound(url: due[start].url)
                let queues = Self.queues(due[start..<min(start + Self.roundMax, due.count)])
                round = next
                // The results of a round are recorded while the next round runs.
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

    /// Distributes deliveries so that those about one subscription are in one queue, in their order.
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
