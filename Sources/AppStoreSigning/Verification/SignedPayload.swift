import AppStoreModel

/// A payload with its signing time.
protocol SignedPayload: JSONRepresentable {
    /// When the App Store signed, in milliseconds since 1970 (UTC).
    var signedDate: Int64 { get }

    /// The app in the payload, for roots that are trusted for some apps only.
    var subject: SignedSubject { get }
}

/// The app and environment in a payload, as far as it contains them.
struct SignedSubject {
    var bundleId: String?
    var appAppleId: Int64?
    var environment: AppStoreEnvironment?

    /// Whether it belongs to an app: everything in it is the app's, and it contains its environment.
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
