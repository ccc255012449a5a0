import AppStoreModel

extension SignedDataVerifier {
    /// The configured app of the data.
    ///
    /// - Throws: `app_not_configured` or `bundle_id_mismatch` (by the initializer), `environment_mismatch`.
    func app(
        of claim: AppClaim,
        observer: inout some VerificationObserver
    ) throws(VerificationFailure) -> AppIdentity {
        observer.begin(.app)
        observer.note("bundle id \(claim.bundleId), environment \(claim.environment)")
        if let app = apps.first(where: { claim.isAbout($0.bundleId) && $0.environment == claim.environment }) {
            return app
        }
        guard apps.contains(where: { claim.isAbout($0.bundleId) }) else {
            throw VerificationFailure(
                code: foreignAppCode,
                message: "The data belongs to another app; configure its bundle id if it is yours."
            )
        }
        throw .otherEnvironment
    }

    /// Compares the app's Apple ID, which only production data must contain.
    ///
    /// - Throws: `app_apple_id_mismatch`.
    func checkAppAppleId(of claim: AppClaim, _ app: AppIdentity) throws(VerificationFailure) {
        guard app.environment != .production || (app.appAppleId != nil && app.appAppleId == claim.appAppleId) else {
            throw .otherAppAppleId
        }
    }
}

extension VerificationFailure {
    /// The refusal of data from an unexpected environment.
    static var otherEnvironment: Self {
        VerificationFailure(
            code: .environmentMismatch,
            message: "The data is of another environment than the configured one."
        )
    }

    /// The refusal of production data with another app's Apple ID.
    static var otherAppAppleId: Self {
        VerificationFailure(
            code: .appAppleIdMismatch,
            message: "The data's appAppleId is not the configured one; production apps need it configured."
        )
    }
}
