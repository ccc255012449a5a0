package import Hummingbird
package import NIOCore
import SubscriptionCore
package import SubscriptionStorage
import Synchronization

/// The context of a request: its identifier and its key.
package struct ServerRequestContext: RequestContext {
    /// Hummingbird's context.
    package var coreContext: CoreRequestContextStorage
    /// The request identifier in the response, in errors and in the log.
    package let requestID: String
    /// The connection.
    package let channel: any Channel
    /// The caller's key, once checked.
    package var key: APIKeyRecord?
    /// The person of the key, if it is an operator's.
    package var person: OperatorAccount?
    /// The caller's address on routes with a key; nil if it is not limited.
    package var client: ClientAddress?
    /// The request's admission; nil on routes without a limit.
    package var admission: Admission?
    /// The identity of a request with an idempotency key: the key, a digest of the request, and the time of the first
    /// copy.
    package var idempotencyKey: String?
    /// The customers in the response, if it is stored.
    package var namedCustomers: NamedCustomers?

    /// Makes the context of one request.
    package init(source: ApplicationRequestContextSource) {
        coreContext = .init(source: source)
        channel = source.channel
        var generator = SystemRandomNumberGenerator()
        let number = UInt64.random(in: .min ... .max, using: &generator)
        requestID = "req_" + String(number, radix: 36)
    }
}

/// Collects the customers in a response, so that the stored response is removed when one of them is erased, and whether
/// the response is not stored.
package final class NamedCustomers: Sendable {
    private let names = Mutex<[CustomerID]>([])
    private let kept = Mutex(true)

    /// Makes an empty collection.
    init() {}

    /// Whether the response is stored.
    var isKept: Bool { kept.withLock { $0 } }

    func keepNothing() { kept.withLock { $0 = false } }

    /// The customers, in order.
    var all: [CustomerID] { names.withLock { $0 } }

    func add(_ customer: CustomerID) {
        names.withLock { names in
            if !names.contains(customer) { names.append(customer) }
        }
    }
}

extension ServerRequestContext {
    /// Records customers of the response.
    func names(_ customers: CustomerID?...) {
        for case let customer? in customers { namedCustomers?.add(customer) }
    }

    /// Records that the response is not stored under an idempotency key: it contains a secret, or is soon out of date.
    /// A copy of the request is processed again.
    func keepsNoAnswer() { namedCustomers?.keepNothing() }
}
