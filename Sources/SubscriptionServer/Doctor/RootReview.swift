import AppStoreSigning
import SubscriptionCore

/// Reviews when a trusted root certificate expires.
struct RootReview: Sendable {
    /// How long before its expiry a root is reported.
    static let noticeMilliseconds: Int64 = 90 * 86_400_000

    let root: TrustedRoot
    /// Apple's roots come with the program, others with the configuration.
    let isApples: Bool

    func finding(at now: Timestamp) -> DoctorFinding {
        Self.finding(
            root.subject ?? root.fingerprint,
            expiresAt: root.expiresAt.map(Timestamp.init(milliseconds:)),
            isApples: isApples,
            at: now
        )
    }

    static func finding(_ name: String, expiresAt: Timestamp?, isApples: Bool, at now: Timestamp) -> DoctorFinding {
        let remedy =
            isApples
            ? "Update Perennial to a version with Apple's new root certificate."
            : "Add the new root certificate to trusted_roots, or remove this one if nothing uses it."
        guard let expiresAt else {
            return .problem(.root, "root_unreadable", name, "The certificate cannot be read.", remedy: remedy)
        }
        if expiresAt <= now {
            let message = "It expired on \(expiresAt.dateText), so data signed under it is refused."
            return .problem(.root, "root_expired", name, message, remedy: remedy)
        }
        if expiresAt <= now.adding(milliseconds: noticeMilliseconds) {
            return .warning(.root, "root_expires", name, "It expires on \(expiresAt.dateText).", remedy: remedy)
        }
        return .ok(.root, name, "It is valid until \(expiresAt.dateText).")
    }
}
