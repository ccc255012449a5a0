package import Hummingbird
package import NIOCore
package import SubscriptionStorage

/// What travels with a request: its identifier, and the key it came with.
package struct ServerRequestContext: RequestContext {
    /// Hummingbird's own part.
    package var coreContext: CoreRequestContextStorage
    /// Names the request in the answer, in its errors and in the log.
    package let requestID: String
    /// The connection that it came by.
    package let channel: any Channel
    /// The caller's key, once checked.
    package var key: APIKeyRecord?
    /// What names this request, where its caller gave it a key: that key and a digest of all that was asked.
    package var idempotencyKey: String?

    /// Makes the context of one request.
    package init(source: ApplicationRequestContextSource) {
        coreContext = .init(source: source)
        channel = source.channel
        var generator = SystemRandomNumberGenerator()
        let number = UInt64.random(in: .min ... .max, using: &generator)
        requestID = "req_" + String(number, radix: 36)
    }
}
