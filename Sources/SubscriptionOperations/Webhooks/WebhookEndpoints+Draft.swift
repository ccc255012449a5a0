public import SubscriptionStorage

extension WebhookEndpoints {
    /// What an operator gives for a new endpoint.
    public struct Draft: Hashable, Sendable {
        /// Where an endpoint begins.
        public enum Start: Hashable, Sendable {
            /// With what happens from now on.
            case now
            /// With the first event.
            case beginning
            /// After an event of the feed.
            case after(EventCursor)
        }

        /// The address.
        public var url: String
        /// A description.
        public var label: String?
        /// The form of the bodies.
        public var form = WebhookEndpoint.Form.events
        /// The types of events; nil for all.
        public var eventTypes: [String]?
        /// Where it begins.
        public var start = Start.now
        /// The value of `Authorization`; nil for none.
        public var authorization: String?
        /// Whether requests are signed with an Ed25519 key instead of an HMAC.
        public var isAsymmetric = false

        /// Makes a draft.
        public init(url: String) { self.url = url }
    }

    /// A change of an endpoint: nil members stay.
    public struct Change: Hashable, Sendable {
        /// The address.
        public var url: String?
        /// A description.
        public var label: String?
        /// The types of events; nil inside for all.
        public var eventTypes: [String]??
        /// The value of `Authorization`; nil inside removes it. Without a change, another host or port removes it too.
        public var authorization: String??
        /// Whether something is sent.
        public var isEnabled: Bool?

        /// Makes a change of nothing.
        public init() {}
    }

    /// An endpoint with its progress and its secrets.
    public struct View: Hashable, Sendable {
        /// The endpoint.
        public var endpoint: WebhookEndpoint
        /// Its progress.
        public var progress: WebhookProgress
        /// Its secrets, newest first.
        public var secrets: [WebhookSecret]

        /// The value of `Authorization`; nil if there is none.
        var authorization: String? { secrets.first { $0.kind == .authorization }?.text }

        /// The public key of a secret; nil if it has none.
        package func publicKey(of secret: WebhookSecret) -> String? { WebhookSigning.publicKey(of: secret) }
    }
}
