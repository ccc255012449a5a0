import Crypto
import PerennialPrimitives
import SubscriptionCore
import SubscriptionStorage

/// Identifies the stored data behind a customer's responses: the same revision means the same responses.
///
/// It does not include the time. It is valid only until the next end of something in the response
/// (``ResponseValidity``).
public struct ResponseRevision: Hashable, Sendable {
    /// The version of the response format: a new format must not match revisions of the old one.
    private static let form = "2"

    /// Thirty-two hexadecimal digits.
    public let text: String

    init(of customer: CustomerRecord, app: AppID) {
        let parts = [
            Self.form, app.rawValue, customer.id.rawValue, String(customer.firstSeenAt.milliseconds),
            String(customer.stateVersion),
        ]
        text = SHA256.hash(data: Array(parts.joined(separator: "\0").utf8)).prefix(16).hexadecimal
    }
}

/// The time in which a response stays valid without a new commit.
struct ResponseValidity: Hashable, Sendable {
    /// When the response was made.
    let from: Timestamp
    /// When something in it ends; nil if nothing does.
    let until: Timestamp?

    /// Whether it contains a time. It does not contain an earlier time, such as that of a clock that was set back.
    func contains(_ time: Timestamp) -> Bool {
        from <= time && until.map { time < $0 } ?? true
    }
}
