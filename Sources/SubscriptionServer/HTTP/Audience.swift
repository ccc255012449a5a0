import SubscriptionCore
import SubscriptionStorage

/// Who reads an answer, which decides how much it tells.
enum Audience: Hashable, Sendable {
    /// A server of the developer's, with a secret key.
    case server
    /// An app, with a publishable key, which everybody has who has the app. It is told no other identifiers of the
    /// customer than the one it asked by, and nothing that an operator wrote.
    case app(askedBy: CustomerID)

    /// The letter that keeps apart the tags of answers that differ.
    var tag: String {
        switch self {
        case .server: ""
        case .app: "p"
        }
    }
}

extension ServerRequestContext {
    /// Who reads the answer.
    ///
    /// - Throws: `key_missing`.
    func audience(asking customer: CustomerID) throws(APIError) -> Audience {
        try anyKey().kind == .secret ? .server : .app(askedBy: customer)
    }
}
