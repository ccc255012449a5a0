public import SubscriptionCore

/// An event, or a notification of Apple, on its way to one endpoint.
///
/// A delivery has a row once it was tried, or once it is held back by an earlier one of the same customer.
public struct WebhookDelivery: Hashable, Sendable {
    /// How far it is.
    public enum State: String, Hashable, Sendable, CaseIterable {
        /// It is sent, or sent again, when it is due.
        case waiting
        /// It waits for an earlier one of the same customer.
        case held
        /// The endpoint took it.
        case delivered
        /// It was given up after the last attempt.
        case failed
    }

    /// The endpoint.
    public var endpointID: WebhookEndpointID
    /// The sequence number of the event in the feed; for the form `apple`, of the notification among the inputs.
    public var sequence: Int64
    /// The `webhook-id`, which is the same in all attempts and for all endpoints.
    public var messageID: String
    /// The type of the event, or Apple's notification type.
    public var type: String
    /// The customer; nil if the event names none.
    public var customerID: CustomerID?
    /// What is kept in order: deliveries with the same key; nil if the order does not matter.
    public var orderKey: String?
    /// How far it is.
    public var state: State
    /// Whether later ones with the same key wait for it.
    public var blocks: Bool
    /// When the row was made.
    public var createdAt: Timestamp
    /// When it is due; nil unless it is waiting.
    public var dueAt: Timestamp?
    /// When it was delivered or given up.
    public var settledAt: Timestamp?
    /// The number of attempts that count for giving up: probes of an open circuit do not.
    public var tries = 0
    /// The number of all attempts.
    public var attemptCount = 0
    /// The first and the newest attempts, as JSON; see ``attemptCount`` for their number.
    public var attempts: String?
    /// The body; nil before the first attempt.
    public var body: [UInt8]?

    /// Makes a delivery.
    public init(
        endpointID: WebhookEndpointID,
        sequence: Int64,
        messageID: String,
        type: String,
        customerID: CustomerID?,
        orderKey: String?,
        state: State,
        createdAt: Timestamp
    ) {
        self.endpointID = endpointID
        self.sequence = sequence
        self.messageID = messageID
        self.type = type
        self.customerID = customerID
        self.orderKey = orderKey
        self.state = state
        self.createdAt = createdAt
        blocks = false
    }

    /// Whether it waits or is held back.
    public var isOpen: Bool { state == .waiting || state == .held }
}
