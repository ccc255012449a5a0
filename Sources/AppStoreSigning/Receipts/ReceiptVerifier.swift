/// Verifies app receipts locally: signature, certificates up to Apple Root CA, and content.
///
/// Every receipt passes the same checks in the same order: form, attributes, signer, certificates, signature, validity
/// of the certificates at its creation, and expectation. No option disables a check; only the trusted roots are
/// configurable. Verification needs no network and no clock, and runs in parallel.
///
/// A verified receipt shows the state at its creation, without later refunds and renewals. For the current state, query
/// the App Store for one of its transactions (``ReceiptTransactions``).
public struct ReceiptVerifier: Sendable {
    /// The maximum size of a receipt.
    ///
    /// - Units: bytes. A purchase takes 400 of them.
    public static let defaultBytesMax = 4 << 20

    private let policy: ReceiptChainPolicy
    private let expectation: ReceiptExpectation
    private let validity: ChainValidity
    private let digests: Set<ReceiptDigest>
    private let bytesMax: Int

    /// Makes a verifier.
    ///
    /// - Parameters:
    ///   - roots: The root certificates that are trusted.
    ///   - expectation: The required content of receipts.
    ///   - validity: When the certificates must be valid; the default is the receipt's creation, so that receipts stay
    ///     valid after certificates expire.
    ///   - digests: The digest algorithms that are allowed in signatures. Receipts have SHA-1 that
    ///     sandbox made before June 20, TestFlight before August 16, 2023, and the App Store before January 24, 2025
    ///     (Apple, TN3138).
    ///   - bytesMax: The maximum size of a receipt, in bytes.
    public init(
        roots: [ReceiptRoot] = [.appleRootCA],
        expecting expectation: ReceiptExpectation = .anything,
        validity: ChainValidity = .whenSigned,
        digests: Set<ReceiptDigest> = [.sha1, .sha256],
        bytesMax: Int = ReceiptVerifier.defaultBytesMax
    ) {
        self.policy = ReceiptChainPolicy(roots: roots)
        self.expectation = expectation
        self.validity = validity
        self.digests = digests
        self.bytesMax = bytesMax
    }

    /// Verifies a receipt.
    ///
    /// - Parameter bytes: The receipt's file: PKCS #7 in DER or BER.
    public func verify(_ bytes: [UInt8]) -> Verification<AppReceipt> {
        Verification { () throws(VerificationFailure) in
            try checkSize(bytes.count, of: bytesMax)
            let container = try SignedReceipt(bytes)
            let receipt = try AppReceipt(content: container.content)
            do throws(VerificationFailure) {
                try authenticate(receipt, in: container)
            } catch {
                throw receipt.receiptType == .xcode && !container.signers.isEmpty ? .fromXcode : error
            }
            try expectation.check(receipt)
            return receipt
        }
    }

    /// Verifies a receipt in base64, in any variant.
    ///
    /// - Parameter text: The receipt as apps send it.
    public func verify(_ text: String) -> Verification<AppReceipt> {
        do {
            // Base64 has four characters for three bytes; line breaks and escapes at most double that.
            try checkSize(text.utf8.count / 4, of: bytesMax)
            return verify(try ReceiptText.receiptBytes(text))
        } catch {
            return .refused(error)
        }
    }
}

// MARK: - The checks

extension ReceiptVerifier {
    /// Refuses a receipt that was not signed by a trusted chain during its validity.
    private func authenticate(_ receipt: AppReceipt, in container: SignedReceipt) throws(VerificationFailure) {
        let signer = try onlySigner(of: container)
        let digest = try digest(of: signer)
        let chains = try policy.verify(signer.identifier, certificates: container.certificates)
        let signed = try chains.signing { chain throws(VerificationFailure) in
            try signer.check(container.content, digest: digest, leaf: chain.leaf)
        }
        guard let creationDate = receipt.creationDate else {
            throw .receiptMalformed("The receipt has no creation date; attribute 12 is missing.")
        }
        let time = validity.validationTime(signedDate: creationDate)
        guard signed.contains(where: { $0.isValid(at: time) }) else { throw validity.refusal }
    }

    private func onlySigner(of container: SignedReceipt) throws(VerificationFailure) -> ReceiptSigner {
        guard let signer = container.signers.first else {
            throw VerificationFailure(
                code: .receiptNotSigned,
                message: "The receipt has no signature; only the App Store's own receipts are accepted."
            )
        }
        guard container.signers.count == 1 else {
            throw .receiptMalformed("The receipt has more than one signature.")
        }
        return signer
    }

    private func digest(of signer: ReceiptSigner) throws(VerificationFailure) -> ReceiptDigest {
        guard let digest = ReceiptDigest(signer.digestAlgorithm), digests.contains(digest) else {
            throw VerificationFailure(
                code: .digestAlgorithmNotSupported,
                message: "The signature's digest algorithm, \(signer.digestAlgorithm), is none of those allowed."
            )
        }
        guard digest.isUsed(by: signer.signatureAlgorithm) else {
            throw VerificationFailure(
                code: .algorithmNotSupported,
                message: "The signature algorithm, \(signer.signatureAlgorithm), is not RSA (PKCS #1 v1.5) with the "
                    + "digest algorithm that the signature names."
            )
        }
        return digest
    }

    private func checkSize(_ count: Int, of bytesMax: Int) throws(VerificationFailure) {
        guard count <= bytesMax else {
            throw VerificationFailure(
                code: .payloadTooLarge,
                message: "The receipt has \(count) bytes; the limit is \(bytesMax)."
            )
        }
    }
}

extension [ReceiptChain] {
    /// The certificates whose key signed.
    ///
    /// - Throws: The error of the first one, if none signed.
    fileprivate func signing(
        _ check: (ReceiptChain) throws(VerificationFailure) -> Void
    ) throws(VerificationFailure) -> [ReceiptChain] {
        var signing: [ReceiptChain] = []
        var refusal: VerificationFailure?
        for chain in self {
            do throws(VerificationFailure) {
                try check(chain)
                signing.append(chain)
            } catch {
                refusal = refusal ?? error
            }
        }
        if signing.isEmpty, let refusal { throw refusal }
        return signing
    }
}

extension VerificationFailure {
    /// The refusal of an Xcode receipt without a trusted signature.
    fileprivate static var fromXcode: Self {
        VerificationFailure(
            code: .receiptFromXcode,
            message: "The receipt was made by StoreKit testing in Xcode and signed by a certificate of that Mac; it "
                + "can be decoded, not verified."
        )
    }
}
