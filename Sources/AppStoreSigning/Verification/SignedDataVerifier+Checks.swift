import AppStoreModel
import Crypto

// MARK: - Each kind

extension SignedDataVerifier {
    func data(
        _ jws: [UInt8],
        as kind: SignedDataKind,
        observer: inout some VerificationObserver
    ) throws(VerificationFailure) -> VerifiedSignedData {
        switch kind {
        case .notification: .notification(try notification(jws, observer: &observer))
        case .transaction: .transaction(try transaction(jws, observer: &observer))
        case .renewal: .renewal(try renewalInfo(jws, observer: &observer))
        case .appTransaction: .appTransaction(try appTransaction(jws, observer: &observer))
        case .realtimeRequest: .realtimeRequest(try realtimeRequest(jws, observer: &observer))
        }
    }

    func transaction(
        _ jws: [UInt8],
        observer: inout some VerificationObserver
    ) throws(VerificationFailure) -> JWSTransactionDecodedPayload {
        try judged(authenticated(jws, observer: &observer), observer: &observer)
    }

    func judged(
        _ payload: JWSTransactionDecodedPayload,
        observer: inout some VerificationObserver
    ) throws(VerificationFailure) -> JWSTransactionDecodedPayload {
        let claim = AppClaim(bundleId: payload.bundleId, appAppleId: nil, environment: payload.environment)
        _ = try app(of: claim, observer: &observer)
        return payload
    }

    func renewalInfo(
        _ jws: [UInt8],
        observer: inout some VerificationObserver
    ) throws(VerificationFailure) -> JWSRenewalInfoDecodedPayload {
        let payload: JWSRenewalInfoDecodedPayload = try authenticated(jws, observer: &observer)
        observer.begin(.app)
        observer.note("environment \(payload.environment); renewal information names no app")
        guard apps.contains(where: { $0.environment == payload.environment }) else {
            throw .otherEnvironment
        }
        return payload
    }

    func appTransaction(
        _ jws: [UInt8],
        observer: inout some VerificationObserver
    ) throws(VerificationFailure) -> JWSAppTransactionDecodedPayload {
        let payload: JWSAppTransactionDecodedPayload = try authenticated(jws, observer: &observer)
        guard let environment = payload.receiptType else {
            throw VerificationFailure(
                code: .environmentMismatch,
                message: "The app transaction has no environment (receiptType)."
            )
        }
        let claim = AppClaim(bundleId: payload.bundleId, appAppleId: payload.appAppleId, environment: environment)
        try checkAppAppleId(of: claim, try app(of: claim, observer: &observer))
        return payload
    }

    func realtimeRequest(
        _ jws: [UInt8],
        observer: inout some VerificationObserver
    ) throws(VerificationFailure) -> DecodedRealtimeRequestBody {
        let payload: DecodedRealtimeRequestBody = try authenticated(jws, observer: &observer)
        observer.begin(.app)
        observer.note("environment \(payload.environment), appAppleId \(payload.appAppleId)")
        let candidates = apps.filter { $0.environment == payload.environment }
        guard !candidates.isEmpty else { throw .otherEnvironment }
        guard
            payload.environment != .production || candidates.contains(where: { $0.appAppleId == payload.appAppleId })
        else { throw .otherAppAppleId }
        return payload
    }

    func notification(
        _ jws: [UInt8],
        checkingInnerSignatures: Bool = false,
        observer: inout some VerificationObserver
    ) throws(VerificationFailure) -> VerifiedNotification {
        try judged(
            authenticated(jws, observer: &observer),
            checkingInnerSignatures: checkingInnerSignatures,
            observer: &observer
        )
    }

    func judged(
        _ payload: ResponseBodyV2DecodedPayload,
        checkingInnerSignatures: Bool = false,
        observer: inout some VerificationObserver
    ) throws(VerificationFailure) -> VerifiedNotification {
        guard let claim = payload.appClaim else {
            observer.begin(.app)
            throw VerificationFailure(
                code: .payloadMalformed,
                message: "The notification does not name an app and an environment."
            )
        }
        let app = try app(of: claim, observer: &observer)
        try checkAppAppleId(of: claim, app)
        observer.begin(.contents)
        let reader = InnerReader(verifier: self, app: app, checksSignatures: checkingInnerSignatures)
        let transaction: JWSTransactionDecodedPayload? =
            try reader.payload(payload.data?.signedTransactionInfo, in: "data.signedTransactionInfo")
        if let transaction {
            try checkInner(bundleId: transaction.bundleId, environment: transaction.environment, app)
        }
        let renewalInfo: JWSRenewalInfoDecodedPayload? =
            try reader.payload(payload.data?.signedRenewalInfo, in: "data.signedRenewalInfo")
        if let renewalInfo {
            try checkInner(bundleId: nil, environment: renewalInfo.environment, app)
        }
        let appTransaction: JWSAppTransactionDecodedPayload? =
            try reader.payload(payload.appData?.signedAppTransactionInfo, in: "appData.signedAppTransactionInfo")
        if let appTransaction {
            try checkInner(bundleId: appTransaction.bundleId, environment: appTransaction.receiptType, app)
        }
        observer.note("what is inside is covered by the notification's signature, and is about the same app")
        return VerifiedNotification(
            payload: payload,
            transaction: transaction,
            renewalInfo: renewalInfo,
            appTransaction: appTransaction,
            app: app
        )
    }
}

// MARK: - Who signed

extension SignedDataVerifier {
    /// A payload that a trusted chain signed during its validity.
    ///
    /// ECDSA signatures are malleable: from (r, s) anybody can make (r, n - s), which is also valid. JWS has no rule
    /// against it and genuine signers use both forms, so both are accepted. So the text of a JWS does not identify its
    /// content. Use `notificationUUID` and `transactionId` to recognise repeated data.
    func authenticated<Payload: SignedPayload>(
        _ jws: [UInt8],
        observer: inout some VerificationObserver
    ) throws(VerificationFailure) -> Payload {
        let opened = try opened(jws, observer: &observer)
        return try payload(of: opened, observer: &observer)
    }

    /// A JWS with a trusted chain, whose signature was not checked yet.
    func opened(
        _ jws: [UInt8],
        observer: inout some VerificationObserver
    ) throws(VerificationFailure) -> OpenedJWS {
        observer.begin(.form)
        guard jws.count <= bytesMax else {
            throw VerificationFailure(
                code: .payloadTooLarge,
                message: "The signed data has \(jws.count) bytes; the limit is \(bytesMax)."
            )
        }
        let parts = try CompactJWS(jws)
        observer.note("three segments, \(jws.count) bytes")
        let (header, isNew) = try header(of: parts, observer: &observer)
        return OpenedJWS(parts: parts, header: header, isNew: isNew)
    }

    /// The payload, if the chain signed it during its validity.
    func payload<Payload: SignedPayload>(
        of opened: OpenedJWS,
        observer: inout some VerificationObserver
    ) throws(VerificationFailure) -> Payload {
        let (parts, header) = (opened.parts, opened.header)
        observer.begin(.signature)
        let payloadBytes = try parts.payloadBytes()
        guard parts.isSigned(by: header.chain.leafKey, digest: parts.digest(after: header)) else {
            throw VerificationFailure(
                code: .signatureInvalid,
                message: "The signature does not belong to this header and payload; send the signed text unchanged."
            )
        }
        observer.note("ES256 by the leaf's key, over header and payload as sent")
        // Only after the signature check: anybody can put the App Store's public certificates into a header.
        if opened.isNew { chainCache.insert(header, for: parts.header, trusting: policy.roots) }

        observer.begin(.payload)
        let payload: Payload = try parts.decodedPayload(payloadBytes)
        observer.note("\(Payload.self), \(payloadBytes.count) bytes of JSON, signed \(payload.signedDate.asTime)")

        observer.begin(.validity)
        try checkValidity(of: header.chain, signedDate: payload.signedDate)
        try checkScope(of: header.chain, for: payload.subject)
        observer.note(
            "every certificate was valid \(chainValidity.validationTime(signedDate: payload.signedDate).asTime)"
        )
        observer.authenticated(by: header)
        return payload
    }

    /// The header with its chain, and whether the cache should store it.
    private func header<Observer: VerificationObserver>(
        of parts: CompactJWS,
        observer: inout Observer
    ) throws(VerificationFailure) -> (VerifiedHeader, isNew: Bool) {
        if !Observer.wantsEveryStep, let known = chainCache.header(parts.header, trusting: policy.roots) {
            return (known, isNew: false)
        }
        observer.begin(.header)
        let sent = try JWSHeader(segment: parts.header)
        observer.note("\(sent.algorithm), \(sent.encodedChain.count) certificate(s)")
        let chain = try self.chain(of: sent, observer: &observer)
        return (VerifiedHeader(chain: chain, header: parts.header), isNew: !Observer.wantsEveryStep)
    }

    private func chain<Observer: VerificationObserver>(
        of header: JWSHeader,
        observer: inout Observer
    ) throws(VerificationFailure) -> VerifiedChain {
        guard !Observer.wantsEveryStep else { return try policy.verify(header.chain(), observer: &observer) }
        if let known = chainCache.chain(header.encodedChain, trusting: policy.roots) { return known }
        let chain = try policy.verify(header.chain(), observer: &observer)
        chainCache.insert(chain, of: header.encodedChain, trusting: policy.roots)
        return chain
    }

    /// A root that is trusted for some apps signs only for those.
    private func checkScope(of chain: VerifiedChain, for subject: SignedSubject) throws(VerificationFailure) {
        guard !scopes.isEmpty else { return }
        for anchor in chain.anchors {
            guard let apps = scopes[anchor.root] else { return }
            if apps.contains(where: subject.isAbout) { return }
        }
        throw VerificationFailure(
            code: .chainNotTrusted,
            message: "The chain ends in a root that is trusted for another app or environment than the data is about."
        )
    }

    private func checkValidity(of chain: VerifiedChain, signedDate: Int64) throws(VerificationFailure) {
        guard chain.isValid(at: chainValidity.validationTime(signedDate: signedDate)) else {
            throw chainValidity.refusal
        }
    }
}

// MARK: - What is inside

/// Reads the signed data inside a notification.
private struct InnerReader {
    let verifier: SignedDataVerifier
    /// The app of the notification.
    let app: AppIdentity
    /// Whether the inner data, which the envelope's signature covers, must have valid signatures too.
    let checksSignatures: Bool

    /// The payload of a JWS.
    ///
    /// - Parameter field: Its field in the notification.
    func payload<Payload: SignedPayload>(
        _ jws: String?,
        in field: String
    ) throws(VerificationFailure) -> Payload? {
        guard let jws else { return nil }
        do {
            let bytes = Array(jws.utf8)
            guard !checksSignatures else {
                var nobody = Unobserved()
                return try verifier.authenticated(bytes, observer: &nobody) as Payload
            }
            let parts = try CompactJWS(bytes)
            return try parts.decodedPayload(parts.payloadBytes()) as Payload
        } catch {
            throw VerificationFailure(
                code: checksSignatures ? error.code : .payloadMalformed,
                message: "The signed data inside the notification is refused (\(field)). \(error.message)",
                isRetryable: error.isRetryable,
                field: error.field.map { "\(field).\($0)" } ?? field,
                bundleId: app.bundleId
            )
        }
    }
}

extension SignedDataVerifier {
    private func checkInner(
        bundleId: String?,
        environment: AppStoreEnvironment?,
        _ app: AppIdentity
    ) throws(VerificationFailure) {
        guard bundleId?.hasSameBytes(as: app.bundleId) ?? true else {
            throw VerificationFailure(
                code: .bundleIdMismatch,
                message: "The signed data inside the notification is about another app than the notification."
            )
        }
        guard environment == app.environment else { throw .otherEnvironment }
    }
}

extension CompactJWS {
    /// The payload as the model's type.
    ///
    /// - Throws: `payload_malformed` if the bytes are not such a payload.
    fileprivate func decodedPayload<Payload: SignedPayload>(
        _ bytes: [UInt8]
    ) throws(VerificationFailure) -> Payload {
        let object = try payloadObject(bytes)
        do {
            return try Payload(json: object)
        } catch {
            throw VerificationFailure(
                code: .payloadMalformed,
                message: "The payload is not the requested one: \(error.description)",
                field: error.path,
                bundleId: object.namedBundleId
            )
        }
    }
}

extension JSONObject {
    /// The maximum length of a bundle identifier in App Store Connect, in bytes.
    private static let bundleIdBytesMax = 155

    /// The app in a payload of any kind: at its root, or in the member of a notification.
    fileprivate var namedBundleId: String? {
        let members = ["data", "summary", "appData", "externalPurchaseToken"].compactMap { self[$0]?.objectValue }
        let named = ([self] + members).lazy.compactMap { $0["bundleId"]?.stringValue }.first
        return named.flatMap { $0.utf8.count <= Self.bundleIdBytesMax ? $0 : nil }
    }
}
