import AppStoreModel

/// A payload that says when it was signed.
protocol SignedPayload: JSONRepresentable {
    /// When the App Store signed, in milliseconds since 1970 (UTC).
    var signedDate: Int64 { get }

    /// What it says it is about, for roots that are trusted for some apps only.
    var subject: SignedSubject { get }
}

/// The app and environment that a payload names, as far as it names them.
struct SignedSubject {
    var bundleId: String?
    var appAppleId: Int64?
    var environment: AppStoreEnvironment?

    /// Whether it is about an app: everything that it names is the app's, and it names its environment.
    func isAbout(_ app: AppIdentity) -> Bool {
        environment == app.environment
            && bundleId.map { $0.hasSameBytes(as: app.bundleId) } ?? true
            && (bundleId != nil || appAppleId == nil || app.appAppleId == nil || appAppleId == app.appAppleId)
    }
}

extension JWSTransactionDecodedPayload: SignedPayload {
    var subject: SignedSubject { SignedSubject(bundleId: bundleId, environment: environment) }
}
extension JWSRenewalInfoDecodedPayload: SignedPayload {
    var subject: SignedSubject { SignedSubject(environment: environment) }
}
extension ResponseBodyV2DecodedPayload: SignedPayload {
    var subject: SignedSubject {
        SignedSubject(bundleId: appClaim?.bundleId, environment: appClaim?.environment)
    }
}
extension JWSAppTransactionDecodedPayload: SignedPayload {
    var subject: SignedSubject { SignedSubject(bundleId: bundleId, environment: receiptType) }
}
extension DecodedRealtimeRequestBody: SignedPayload {
    var subject: SignedSubject { SignedSubject(appAppleId: appAppleId, environment: environment) }
}
