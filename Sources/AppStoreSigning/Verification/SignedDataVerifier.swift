public import AppStoreModel

/// Verifies what the App Store signs: transactions, renewal information, notifications.
///
/// Every input passes the same checks in the same order: its form, its certificate chain (cached), its signature, its
/// payload, the validity of the chain when it was signed, and the app it is about. No environment, option or header
/// leaves one out; what is trusted is configuration. Verifying needs no network and no clock, and runs in parallel.
public struct SignedDataVerifier: Sendable {
    /// The longest input that is looked at.
    ///
    /// - Units: bytes of compact JWS. The App Store's are about 20 000 bytes.
    public static let defaultBytesMax = 1 << 20

    private let policy: ChainPolicy
    private let apps: [AppIdentity]
    private let foreignAppCode: VerificationFailure.Code
    private let chainCache: VerifiedChainCache
    private let bytesMax: Int

    /// Makes a verifier for a service that serves some apps; data about any other is refused with `app_not_configured`.
    ///
    /// - Parameters:
    ///   - roots: The root certificates that are trusted.
    ///   - apps: The apps, each in each of its environments.
    ///   - chainCache: Where verified chains are kept; may be shared.
    ///   - bytesMax: The longest input that is looked at, in bytes.
    public init(
        roots: [TrustedRoot] = [.appleRootCAG3],
        apps: [AppIdentity],
        chainCache: VerifiedChainCache = VerifiedChainCache(),
        bytesMax: Int = SignedDataVerifier.defaultBytesMax
    ) {
        self.policy = ChainPolicy(roots: roots)
        self.apps = apps
        self.foreignAppCode = .appNotConfigured
        self.chainCache = chainCache
        self.bytesMax = bytesMax
    }

    /// Makes a verifier that expects one app; data about any other is refused with `bundle_id_mismatch`.
    ///
    /// - Parameters:
    ///   - roots: The root certificates that are trusted.
    ///   - app: The app that data must be about.
    ///   - chainCache: Where verified chains are kept; may be shared.
    ///   - bytesMax: The longest input that is looked at, in bytes.
    public init(
        roots: [TrustedRoot] = [.appleRootCAG3],
        expecting app: AppIdentity,
        chainCache: VerifiedChainCache = VerifiedChainCache(),
        bytesMax: Int = SignedDataVerifier.defaultBytesMax
    ) {
        self.policy = ChainPolicy(roots: roots)
        self.apps = [app]
        self.foreignAppCode = .bundleIdMismatch
        self.chainCache = chainCache
        self.bytesMax = bytesMax
    }

    /// Verifies a signed transaction (`signedTransactionInfo`, or StoreKit's `jwsRepresentation`).
    ///
    /// - Parameter jws: The compact JWS.
    public func verifyTransaction(_ jws: [UInt8]) -> Verification<JWSTransactionDecodedPayload> {
        Verification { () throws(VerificationFailure) in
            let payload: JWSTransactionDecodedPayload = try authenticated(jws)
            try checkApp(bundleId: payload.bundleId, environment: payload.environment)
            return payload
        }
    }

    /// Verifies signed renewal information (`signedRenewalInfo`).
    ///
    /// It does not name an app, so only its environment is compared.
    ///
    /// - Parameter jws: The compact JWS.
    public func verifyRenewalInfo(_ jws: [UInt8]) -> Verification<JWSRenewalInfoDecodedPayload> {
        Verification { () throws(VerificationFailure) in
            let payload: JWSRenewalInfoDecodedPayload = try authenticated(jws)
            guard apps.contains(where: { $0.environment == payload.environment }) else {
                throw .otherEnvironment
            }
            return payload
        }
    }

    /// Verifies a notification (`signedPayload` of what the App Store posts).
    ///
    /// - Parameter jws: The compact JWS.
    public func verifyNotification(_ jws: [UInt8]) -> Verification<VerifiedNotification> {
        Verification { () throws(VerificationFailure) in
            let payload: ResponseBodyV2DecodedPayload = try authenticated(jws)
            let app = try app(of: payload)
            let transaction: JWSTransactionDecodedPayload? = try inner(payload.data?.signedTransactionInfo)
            if let transaction {
                guard transaction.bundleId == app.bundleId else {
                    throw VerificationFailure(
                        code: .bundleIdMismatch,
                        message: "The transaction inside the notification is about another app than the notification."
                    )
                }
                guard transaction.environment == app.environment else { throw .otherEnvironment }
            }
            let renewalInfo: JWSRenewalInfoDecodedPayload? = try inner(payload.data?.signedRenewalInfo)
            if let renewalInfo, renewalInfo.environment != app.environment {
                throw .otherEnvironment
            }
            return VerifiedNotification(payload: payload, transaction: transaction, renewalInfo: renewalInfo, app: app)
        }
    }
}

// MARK: - As text

extension SignedDataVerifier {
    /// Verifies a signed transaction given as text.
    public func verifyTransaction(_ jws: String) -> Verification<JWSTransactionDecodedPayload> {
        verifyTransaction(Array(jws.utf8))
    }

    /// Verifies signed renewal information given as text.
    public func verifyRenewalInfo(_ jws: String) -> Verification<JWSRenewalInfoDecodedPayload> {
        verifyRenewalInfo(Array(jws.utf8))
    }

    /// Verifies a notification given as text.
    public func verifyNotification(_ jws: String) -> Verification<VerifiedNotification> {
        verifyNotification(Array(jws.utf8))
    }
}

// MARK: - The checks

extension SignedDataVerifier {
    /// A payload that a trusted chain signed while it was valid.
    private func authenticated<Payload: SignedPayload>(_ jws: [UInt8]) throws(VerificationFailure) -> Payload {
        guard jws.count <= bytesMax else {
            throw VerificationFailure(
                code: .payloadTooLarge,
                message: "The signed data has \(jws.count) bytes; the limit is \(bytesMax)."
            )
        }
        let parts = try CompactJWS(jws)
        let header = try header(of: parts)
        let payloadBytes = try parts.payloadBytes()
        guard parts.isSigned(by: header) else {
            throw VerificationFailure(
                code: .signatureInvalid,
                message: "The signature does not belong to this header and payload; send the signed text unchanged."
            )
        }
        let payload: Payload = try parts.decodedPayload(payloadBytes)
        guard header.chain.isValid(at: payload.signedDate) else {
            throw VerificationFailure(
                code: .certificateNotValidAtSigning,
                message: "A certificate of the chain was not valid when the payload says it was signed."
            )
        }
        return payload
    }

    private func header(of parts: CompactJWS) throws(VerificationFailure) -> VerifiedHeader {
        if let known = chainCache.header(parts.header, trusting: policy.roots) {
            return known
        }
        let chain = try policy.verify(JWSHeader(segment: parts.header).chain())
        let header = VerifiedHeader(chain: chain, header: parts.header)
        chainCache.insert(header, for: parts.header)
        return header
    }

    /// The payload of a JWS that the envelope's signature covers.
    private func inner<Payload: SignedPayload>(_ jws: String?) throws(VerificationFailure) -> Payload? {
        guard let jws else { return nil }
        do {
            let parts = try CompactJWS(Array(jws.utf8))
            return try parts.decodedPayload(parts.payloadBytes()) as Payload
        } catch {
            throw VerificationFailure(
                code: .payloadMalformed,
                message: "The signed data inside the notification cannot be read. \(error.message)"
            )
        }
    }

    private func app(of payload: ResponseBodyV2DecodedPayload) throws(VerificationFailure) -> AppIdentity {
        guard let claim = payload.appClaim else {
            throw VerificationFailure(
                code: .payloadMalformed,
                message: "The notification does not name an app and an environment."
            )
        }
        let app = try checkApp(bundleId: claim.bundleId, environment: claim.environment)
        guard app.environment != .production || (app.appAppleId != nil && app.appAppleId == claim.appAppleId) else {
            throw VerificationFailure(
                code: .appAppleIdMismatch,
                message: "The notification's appAppleId is not the configured one; production apps need it configured."
            )
        }
        return app
    }

    @discardableResult
    private func checkApp(
        bundleId: String,
        environment: AppStoreEnvironment
    ) throws(VerificationFailure) -> AppIdentity {
        if let app = apps.first(where: { $0.bundleId == bundleId && $0.environment == environment }) {
            return app
        }
        guard apps.contains(where: { $0.bundleId == bundleId }) else {
            throw VerificationFailure(
                code: foreignAppCode,
                message: "The data is about another app; configure its bundle id if it is yours."
            )
        }
        throw .otherEnvironment
    }
}

extension CompactJWS {
    /// The payload as the model's type.
    ///
    /// - Throws: `payload_malformed` when the bytes are not such a payload.
    fileprivate func decodedPayload<Payload: SignedPayload>(
        _ bytes: [UInt8]
    ) throws(VerificationFailure) -> Payload {
        let object = try payloadObject(bytes)
        do {
            return try Payload(json: object)
        } catch {
            throw VerificationFailure(
                code: .payloadMalformed,
                message: "The payload is not what was asked for: \(error.description)"
            )
        }
    }
}

extension VerificationFailure {
    /// The refusal of data from an environment that is not expected.
    fileprivate static var otherEnvironment: Self {
        VerificationFailure(
            code: .environmentMismatch,
            message: "The data is of another environment than the configured one."
        )
    }
}
