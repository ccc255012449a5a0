import AppStoreModel
import PerennialPrimitives

/// A possible cause of a 401, which Apple sends without a reason.
///
/// - Source: App Store Server API, Generating JSON Web Tokens for API requests; answers of Apple's engineers.
public struct UnauthorizedCause: RawRepresentable, Hashable, Sendable {
    /// The cause as it appears in logs.
    public let rawValue: String

    /// Wraps a cause, known or not.
    public init(rawValue: String) {
        self.rawValue = rawValue
    }

    /// This machine's clock is wrong, so the token is expired or not yet valid.
    public static let clock = Self(rawValue: "clock")
    /// The token has expired, or its lifetime exceeds an hour.
    public static let tokenLifetime = Self(rawValue: "token_lifetime")
    /// The app was never released in the App Store: production refuses every call then.
    public static let appNeverReleased = Self(rawValue: "app_never_released")
    /// The key is not an In-App Purchase key.
    public static let keyType = Self(rawValue: "key_type")
    /// The key identifier does not belong to the key.
    public static let keyId = Self(rawValue: "key_id")
    /// The issuer identifier is not the team's.
    public static let issuerId = Self(rawValue: "issuer_id")
    /// The bundle identifier is not one of the team's apps.
    public static let bundleId = Self(rawValue: "bundle_id")
    /// The key was revoked.
    public static let keyRevoked = Self(rawValue: "key_revoked")
}

/// Determines the cause of a 401 from what the client knows.
struct UnauthorizedDiagnosis {
    /// Tokens are valid for minutes, so a smaller clock difference is harmless.
    static let clockSkewMax: UInt64 = 60_000

    let credential: BearerCredential
    let bundleId: String
    let environment: AppStoreEnvironment
    /// The wall clock, in milliseconds since 1970.
    let now: Int64
    /// The server's time, from the `Date` of the answer.
    let serverDate: Int64?
    /// Whether this environment accepted the app's tokens before.
    let wasAcceptedHere: Bool
    /// Whether the other environment accepted them.
    let wasAcceptedElsewhere: Bool

    /// The possible causes, most likely first; a single one fits everything that the client knows.
    var causes: [UnauthorizedCause] {
        if let skew, skew.magnitude > Self.clockSkewMax { return [.clock] }
        if hasBadLifetime { return [.tokenLifetime] }
        if let keyId = credential.keyId, !Self.looksLikeKeyId(keyId) { return [.keyId] }
        if let issuerId = credential.issuerId, !issuerId.isUUID { return [.issuerId] }
        if !Self.looksLikeBundleId(bundleId) { return [.bundleId] }
        if wasAcceptedHere { return [.keyRevoked] }
        if environment == .production {
            return wasAcceptedElsewhere
                ? [.appNeverReleased] : [.appNeverReleased, .keyType, .keyId, .issuerId, .bundleId]
        }
        return wasAcceptedElsewhere ? [.keyRevoked] : [.keyType, .keyId, .issuerId, .bundleId]
    }

    /// Whether another key may be accepted; with a wrong clock, a wrong lifetime or a wrong app none is.
    var isKeyInDoubt: Bool {
        let causes = causes
        return ![[.clock], [.tokenLifetime], [.bundleId]].contains(causes)
    }

    /// The causes as text, with the remedy.
    var message: String {
        let causes = causes
        if causes.count == 1, let cause = causes.first { return "Apple refused the token (401). \(sentence(cause))" }
        let list = causes.enumerated().map { "(\($0.offset + 1)) \(sentence($0.element))" }.joined(separator: " ")
        return "Apple refused the token (401) and does not say why. Check in this order: \(list)"
    }

    /// The difference of this machine's clock to the server's, in milliseconds.
    private var skew: Int64? {
        serverDate.map { now.subtractingClamped($0) }
    }

    private var hasBadLifetime: Bool {
        guard let issuedAt = credential.issuedAt, let expiresAt = credential.expiresAt else { return false }
        return expiresAt <= now || expiresAt.subtractingClamped(issuedAt) > 3_600_000
    }

    private func sentence(_ cause: UnauthorizedCause) -> String {
        switch cause {
        case .clock:
            let seconds = (skew ?? 0) / 1000
            let direction = seconds > 0 ? "ahead of" : "behind"
            return "This machine's clock is \(seconds.magnitude) s \(direction) Apple's: set it, for instance with NTP."
        case .tokenLifetime:
            return "The token is expired or lives longer than an hour: make one with a shorter life for each use."
        case .appNeverReleased:
            return "\(bundleId) has perhaps never been released: until then production refuses every call. "
                + "Call sandbox, or choose production then sandbox before release."
        case .keyType:
            return "The key must be of the kind In-App Purchase (App Store Connect, Users and Access, Integrations); "
                + "an App Store Connect API key is refused."
        case .keyId:
            return "The key id \(credential.keyId ?? "") must be the one shown beside the key, ten letters and digits."
        case .issuerId:
            return "The issuer id must be the team's, a UUID shown above the list of keys."
        case .bundleId:
            return "The bundle id \(bundleId) must be an app of the key's team, spelt exactly."
        default:
            return "The same app was accepted before: the key may have been revoked; check App Store Connect."
        }
    }

    static func looksLikeKeyId(_ text: String) -> Bool {
        text.utf8.count == 10 && text.utf8.allSatisfy { isLetterOrDigit($0) }
    }

    static func looksLikeBundleId(_ text: String) -> Bool {
        !text.isEmpty
            && text.utf8.allSatisfy { isLetterOrDigit($0) || $0 == UInt8(ascii: "-") || $0 == UInt8(ascii: ".") }
    }

    private static func isLetterOrDigit(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "a")...UInt8(ascii: "z"):
            true
        default:
            false
        }
    }
}
