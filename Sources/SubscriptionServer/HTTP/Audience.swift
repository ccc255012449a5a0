import SubscriptionCore
import SubscriptionStorage

/// The reader of a response, which determines its content.
enum Audience: Hashable, Sendable {
    /// One of the developer's servers, with a secret key.
    case server
    /// An app, with a publishable key that every user of the app has. Its responses contain no other identifiers of the
    /// customer than the requested one, and no text of operators.
    case app(askedBy: CustomerID)

    /// The letter that distinguishes the tags of different responses.
    var tag: String {
        switch self {
        case .server: ""
        case .app: "p"
        }
    }
}

extension ServerRequestContext {
    /// The reader of the response.
    ///
    /// - Throws: `key_missing`.
    func audience(asking customer: CustomerID) throws(APIError) -> Audience {
        try anyKey().kind == .secret ? .server : .app(askedBy: customer)
    }
}
