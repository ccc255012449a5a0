import Crypto
import PerennialPrimitives
import SubscriptionCore
import SubscriptionStorage

/// Names what a customer's present answers are made of: where it is the same, the answers are.
///
/// It says nothing about the clock: it is given only for as long as nothing that ends has ended since.
public struct AnswerMark: Hashable, Sendable {
    /// Changes with what answers look like, so that a new version of the program does not call old ones unchanged.
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

/// The time in which an answer holds, as far as the clock goes.
struct AnswerSpan: Hashable, Sendable {
    /// When the answer was made.
    let from: Timestamp
    /// When something in it ends; nil where nothing does.
    let until: Timestamp?

    /// Whether an instant lies in it. A clock that was set back leaves it.
    func contains(_ instant: Timestamp) -> Bool {
        from <= instant && until.map { instant < $0 } ?? true
    }
}
