import SubscriptionCore
import SubscriptionStorage

extension OperatorKey {
    /// Makes a key of an operator with a new random text.
    ///
    /// - Returns: The text, which is shown once, and the record to store.
    static func issue(
        _ kind: Kind,
        of account: OperatorID,
        label: String? = nil,
        at now: Timestamp,
        expiresAt: Timestamp?
    ) -> (text: String, record: OperatorKey) {
        let text = KeyIssuing.makeKey(prefix: kind.prefix)
        let record = OperatorKey(
            digest: KeyIssuing.digest(text),
            operatorID: account,
            kind: kind,
            hint: String(text.suffix(4)),
            label: label,
            createdAt: now,
            expiresAt: expiresAt
        )
        return (text, record)
    }

    /// Whether a bearer token has the form of an operator's key or session.
    package static func isText(_ token: String) -> Bool {
        Kind.allCases.contains { token.hasPrefix("\($0.prefix)_") }
    }
}
