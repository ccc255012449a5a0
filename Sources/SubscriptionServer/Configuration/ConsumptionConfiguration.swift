package import AppStoreClient
import Foundation
public import SubscriptionCore
package import SubscriptionOperations

/// The settings of the section `consumption`.
public struct ConsumptionConfiguration: Sendable {
    /// The developer's backend that decides before the policy.
    public struct Hook: Sendable {
        /// Its address.
        public var url: String
        /// The key of the signature, `whsec_…`.
        public var secret: String
        /// The time for an answer, in milliseconds.
        public var milliseconds: Int

        /// Makes a hook.
        public init(url: String, secret: String, milliseconds: Int) {
            self.url = url
            self.secret = secret
            self.milliseconds = milliseconds
        }
    }

    /// Decides what the server sends Apple; nil if nothing is to be sent.
    public var policy: ConsumptionPolicy?
    /// The version of Apple's call, 2 or 1.
    public var version = 2
    /// The developer's backend; nil if it is not to be asked.
    public var hook: Hook?

    /// Makes a configuration by which nothing is sent.
    public init() {}

    /// The settings of the use case.
    package func settings(by transport: any HTTPTransport) -> ConsumptionSettings {
        let hook = hook.flatMap { hook in
            ConsumptionHook(
                url: hook.url,
                secret: hook.secret,
                milliseconds: hook.milliseconds,
                transport: transport
            )
        }
        return ConsumptionSettings(policy: policy, version: version, hook: hook)
    }

    /// Whether a text is an address to which facts about customers may be sent: over TLS, or on this machine.
    static func isHookURL(_ text: String) -> Bool {
        guard let url = URLComponents(string: text), let host = url.host, !host.isEmpty else { return false }
        return url.scheme == "https" || (url.scheme == "http" && ["localhost", "127.0.0.1", "[::1]"].contains(host))
    }
}
