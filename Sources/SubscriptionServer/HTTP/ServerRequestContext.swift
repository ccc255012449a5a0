package import Hummingbird
package import NIOCore
import SubscriptionCore
package import SubscriptionStorage
import Synchronization

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
    /// The request's place among those under way; nil on routes that are answered however full the server is.
    package var admission: Admission?
    /// What names this request, where its caller gave it a key: that key and a digest of all that was asked.
    package var idempotencyKey: String?
    /// Whom the answer names, where it is kept.
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

/// Collects whom an answer names, so that what is kept of it can be forgotten with them.
package final class NamedCustomers: Sendable {
    private let names = Mutex<[CustomerID]>([])

    /// Nobody.
    init() {}

    /// The customers, in order.
    var all: [CustomerID] { names.withLock { $0 } }

    func add(_ customer: CustomerID) {
        names.withLock { names in
            if !names.contains(customer) { names.append(customer) }
        }
    }
}

extension ServerRequestContext {
    /// The answer names a customer.
    func names(_ customers: CustomerID?...) {
        for case let customer? in customers { namedCustomers?.add(customer) }
    }
}
