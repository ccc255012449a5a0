public import AppStoreModel

/// Verifies the App Store's signed data: transactions, renewal information, app transactions, notifications, and
/// realtime requests.
///
/// Every input passes the same checks in the same order: form, certificate chain (cached), signature, payload, validity
/// of the chain, and app. No environment, option or header disables a check; only the trusted roots are configurable.
/// Verification needs no network and no clock, and runs in parallel. One verifier serves many apps, environments and
/// roots.
///
/// Members of the header other than `alg`, `x5c` and `crit` are ignored: keys in the data (`jwk`, `jku`, `x5u`, `kid`)
/// are never used.
public struct SignedDataVerifier: Sendable {
    /// The maximum size of an input.
    ///
    /// - Units: bytes of compact JWS. The App Store's are about 20 000 bytes.
    public static let defaultBytesMax = 1 << 20

    let policy: ChainPolicy
    /// The roots that are trusted for some apps only, with these apps.
    let scopes: [TrustedRoot: [AppIdentity]]
    package let apps: [AppIdentity]
    let foreignAppCode: VerificationFailure.Code
    let chainValidity: ChainValidity
    let chainCache: VerifiedChainCache
    let bytesMax: Int

    /// Makes a verifier for a service with several apps; data of any other app is refused with `app_not_configured`.
    ///
    /// - Parameters:
    ///   - roots: The root certificates that are trusted.
    ///   - scopedRoots: Additional root certificates, each trusted for some apps only.
    ///   - apps: The apps, each in each of its environments.
    ///   - chainValidity: When the certificates must be valid.
    ///   - chainCache: The cache of verified chains; may be shared.
    ///   - bytesMax: The maximum size of an input, in bytes.
    public init(
        roots: [TrustedRoot] = [.appleRootCAG3],
        scopedRoots: [ScopedRoot] = [],
        apps: [AppIdentity],
        chainValidity: ChainValidity = .whenSigned,
        chainCache: VerifiedChainCache = VerifiedChainCache(),
        bytesMax: Int = SignedDataVerifier.defaultBytesMax
    ) {
        var scopes: [TrustedRoot: [AppIdentity]] = [:]
        for scoped in scopedRoots where !roots.contains(scoped.root) { scopes[scoped.root, default: []] += scoped.apps }
        self.policy = ChainPolicy(roots: roots + scopedRoots.map(\.root).filter { scopes[$0] != nil })
        self.scopes = scopes
        self.apps = apps
        self.foreignAppCode = .appNotConfigured
        self.chainValidity = chainValidity
        self.chainCache = chainCache
        self.bytesMax = bytesMax
    }

    /// Makes a verifier for one app; data of any other app is refused with `bundle_id_mismatch`.
    ///
    /// - Parameters:
    ///   - roots: The root certificates that are trusted.
    ///   - app: The app of the data.
    ///   - chainValidity: When the certificates must be valid.
    ///   - chainCache: The cache of verified chains; may be shared.
    ///   - bytesMax: The maximum size of an input, in bytes.
    public init(
        roots: [TrustedRoot] = [.appleRootCAG3],
        expecting app: AppIdentity,
        chainValidity: ChainValidity = .whenSigned,
        chainCache: VerifiedChainCache = VerifiedChainCache(),
        bytesMax: Int = SignedDataVerifier.defaultBytesMax
    ) {
        self.policy = ChainPolicy(roots: roots)
        self.scopes = [:]
        self.apps = [app]
        self.foreignAppCode = .bundleIdMismatch
        self.chainValidity = chainValidity
        self.chainCache = chainCache
        self.bytesMax = bytesMax
    }

    /// Verifies a signed transaction (`signedTransactionInfo`, or StoreKit's `jwsRepresentation`).
    ///
    /// - Parameter jws: The compact JWS.
    public func verifyTransaction(_ jws: [UInt8]) -> Verification<JWSTransactionDecodedPayload> {
        Verification { () throws(VerificationFailure) in
            var nobody = Unobserved()
            return try transaction(jws, observer: &nobody)
        }
    }

    /// Verifies signed renewal information (`signedRenewalInfo`).
    ///
    /// It contains no app, so only its environment is compared.
    ///
    /// - Parameter jws: The compact JWS.
    public func verifyRenewalInfo(_ jws: [UInt8]) -> Verification<JWSRenewalInfoDecodedPayload> {
        Verification { () throws(VerificationFailure) in
            var nobody = Unobserved()
            return try renewalInfo(jws, observer: &nobody)
        }
    }

    /// Verifies a signed app transaction (`signedAppTransactionInfo`, or StoreKit's `AppTransaction`).
    ///
    /// Its bundle identifier and environment (`receiptType`) are compared, in production its `appAppleId` too; the
    /// chain must be valid at its `receiptCreationDate`.
    ///
    /// - Parameter jws: The compact JWS.
    public func verifyAppTransaction(_ jws: [UInt8]) -> Verification<JWSAppTransactionDecodedPayload> {
        Verification { () throws(VerificationFailure) in
            var nobody = Unobserved()
            return try appTransaction(jws, observer: &nobody)
        }
    }

    /// Verifies a notification (`signedPayload` of the App Store's POST).
    ///
    /// The notification's signature covers the transaction, renewal information and app transaction inside. They are
    /// decoded, and their own signatures are not checked separately. Check them too if the inner JWS are forwarded to a
    /// verifier without the notification.
    ///
    /// - Parameters:
    ///   - jws: The compact JWS.
    ///   - checkingInnerSignatures: Whether each inner JWS must be signed by a trusted chain too; otherwise the
    ///     notification is refused with its error code.
    public func verifyNotification(
        _ jws: [UInt8],
        checkingInnerSignatures: Bool = false
    ) -> Verification<VerifiedNotification> {
        Verification { () throws(VerificationFailure) in
            var nobody = Unobserved()
            return try notification(jws, checkingInnerSignatures: checkingInnerSignatures, observer: &nobody)
        }
    }

    /// Verifies a request for a retention message (`signedPayload` of the App Store's realtime POST).
    ///
    /// It has no bundle identifier: its environment is compared, and in production its `appAppleId`.
    ///
    /// - Parameter jws: The compact JWS.
    public func verifyRealtimeRequest(_ jws: [UInt8]) -> Verification<DecodedRealtimeRequestBody> {
        Verification { () throws(VerificationFailure) in
            var nobody = Unobserved()
            return try realtimeRequest(jws, observer: &nobody)
        }
    }

    /// Verifies signed data of a kind that is selected at run time.
    ///
    /// - Parameters:
    ///   - jws: The compact JWS.
    ///   - kind: The required kind.
    public func verify(_ jws: [UInt8], as kind: SignedDataKind) -> Verification<VerifiedSignedData> {
        Verification { () throws(VerificationFailure) in
            var nobody = Unobserved()
            return try data(jws, as: kind, observer: &nobody)
        }
    }
}

// MARK: - As text

extension SignedDataVerifier {
    /// Verifies a signed transaction in a text.
    public func verifyTransaction(_ jws: String) -> Verification<JWSTransactionDecodedPayload> {
        verifyTransaction(Array(jws.utf8))
    }

    /// Verifies signed renewal information in a text.
    public func verifyRenewalInfo(_ jws: String) -> Verification<JWSRenewalInfoDecodedPayload> {
        verifyRenewalInfo(Array(jws.utf8))
    }

    /// Verifies a signed app transaction in a text.
    public func verifyAppTransaction(_ jws: String) -> Verification<JWSAppTransactionDecodedPayload> {
        verifyAppTransaction(Array(jws.utf8))
    }

    /// Verifies a notification in a text, with its inner signatures if requested.
    public func verifyNotification(
        _ jws: String,
        checkingInnerSignatures: Bool = false
    ) -> Verification<VerifiedNotification> {
        verifyNotification(Array(jws.utf8), checkingInnerSignatures: checkingInnerSignatures)
    }

    /// Verifies a request for a retention message in a text.
    public func verifyRealtimeRequest(_ jws: String) -> Verification<DecodedRealtimeRequestBody> {
        verifyRealtimeRequest(Array(jws.utf8))
    }

    /// Verifies signed data of a given kind in a text.
    public func verify(_ jws: String, as kind: SignedDataKind) -> Verification<VerifiedSignedData> {
        verify(Array(jws.utf8), as: kind)
    }
}
