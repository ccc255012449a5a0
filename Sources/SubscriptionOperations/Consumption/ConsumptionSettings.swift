public import SubscriptionCore

/// How refund requests are answered.
public struct ConsumptionSettings: Sendable {
    /// Decides what the server sends Apple; nil if nothing is to be sent.
    public var policy: ConsumptionPolicy?
    /// The version of Apple's call, 2 or 1. Purchases of the Advanced Commerce API always need 1.
    public var version: Int
    /// Asks the developer's backend before the policy; nil if it is not to be asked.
    public var hook: ConsumptionHook?

    /// Makes settings; by default nothing is sent.
    public init(policy: ConsumptionPolicy? = nil, version: Int = 2, hook: ConsumptionHook? = nil) {
        self.policy = policy
        self.version = version
        self.hook = hook
    }
}
