package import AppStoreModel
import SubscriptionCore
package import SubscriptionStorage

extension WebhookDelivery {
    /// The shortest wait before an event is tried once more because it is about to be overtaken.
    private static let waitMin: Int64 = 5_000

    /// A delivery that was not tried yet.
    init(_ item: WebhookItem, to endpoint: WebhookEndpoint, of app: AppID, at now: Timestamp) {
        self.init(
            endpointID: endpoint.id,
            sequence: item.sequence,
            messageID: item.messageID(of: app),
            type: item.type,
            customerID: item.customerID,
            orderKey: item.orderKey,
            state: .waiting,
            createdAt: now
        )
        blocks = item.orderKey != nil
    }

    /// Notes the end of the delivery.
    mutating func settle(_ state: State, at now: Timestamp) {
        self.state = state
        (dueAt, settledAt, blocks) = (nil, now, false)
    }

    /// Notes a failed attempt: it waits for the next one, or is given up.
    ///
    /// - Parameters:
    ///   - hold: How long after its first attempt it holds back later ones with its key, in milliseconds; nil for as
    ///     long as it waits.
    ///   - probeAt: When the next probe is sent, if this attempt was a probe.
    ///   - retryAfter: The wait that the receiver asks for, in milliseconds.
    ///   - chance: A random number from 0 to 1, for the jitter.
    mutating func wait(at now: Timestamp, hold: Int64?, probeAt: Timestamp?, retryAfter: Int64?, chance: Double) {
        (state, settledAt) = (.waiting, nil)
        if let probeAt {
            dueAt = probeAt
            return
        }
        guard let wait = WebhookRetries.wait(after: max(1, tries), retryAfter: retryAfter, chance: chance) else {
            return settle(.failed, at: now)
        }
        dueAt = now.adding(milliseconds: wait)
        guard blocks, let hold else { return }
        let overtakenAt = (WebhookAttempt.firstTime(in: attempts) ?? now).adding(milliseconds: hold)
        blocks = now < overtakenAt
        // It is tried once more when it is overtaken.
        guard blocks, let due = dueAt, overtakenAt < due, retryAfter == nil else { return }
        dueAt = max(overtakenAt, now.adding(milliseconds: Self.waitMin))
    }
}

extension WebhookDelivery {
    /// The attempts that are kept, in the form of the API: the first ones and the newest ones.
    package var keptAttempts: [JSONValue] { WebhookAttempt.attempts(in: attempts) }
}
