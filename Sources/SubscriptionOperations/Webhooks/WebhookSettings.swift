/// How webhooks are delivered.
public struct WebhookSettings: Hashable, Sendable {
    /// How long an undelivered event holds back the later events of its customer, in milliseconds; nil until it is
    /// delivered or given up.
    public var holdMilliseconds: Int64? = 3_600_000
    /// How long delivered and given up deliveries are kept, in milliseconds.
    public var logMilliseconds: Int64 = 259_200_000
    /// The time for an answer.
    public var timeout = Duration.seconds(15)
    /// The most requests to one endpoint at the same time.
    public var requestsMax = 64
    /// How long requests in flight may take after a stop of the server.
    public var stopGrace = Duration.seconds(5)

    /// Makes the settings of an installation without configuration.
    public init() {}
}
