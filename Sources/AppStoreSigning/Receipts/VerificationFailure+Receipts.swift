extension VerificationFailure.Code {
    /// The bytes are not a receipt: not a signed PKCS #7 container, or its content is not the attributes of a receipt.
    public static let receiptMalformed = Self(rawValue: "receipt_malformed")
    /// The bytes start like a receipt but are truncated.
    public static let receiptTruncated = Self(rawValue: "receipt_truncated")
    /// The container has no signature.
    public static let receiptNotSigned = Self(rawValue: "receipt_not_signed")
    /// The receipt was created by StoreKit testing in Xcode, with Xcode's own certificate.
    public static let receiptFromXcode = Self(rawValue: "receipt_from_xcode")
    /// The signed digest does not match the content.
    public static let receiptDigestMismatch = Self(rawValue: "receipt_digest_mismatch")
    /// The digest algorithm of the signature is not allowed.
    public static let digestAlgorithmNotSupported = Self(rawValue: "digest_algorithm_not_supported")
    /// The receipt's hash does not match the given device identifier.
    public static let deviceHashMismatch = Self(rawValue: "device_hash_mismatch")
}

extension VerificationFailure {
    /// A refusal of bytes that are not a receipt.
    static func receiptMalformed(_ message: String) -> Self {
        VerificationFailure(code: .receiptMalformed, message: message)
    }

    /// A refusal of unreadable bytes.
    ///
    /// - Parameters:
    ///   - error: The error.
    ///   - part: The part that was being read, as the start of a sentence.
    init(_ error: BERError, reading part: String) {
        switch error {
        case .truncated:
            self.init(
                code: .receiptTruncated,
                message: "\(part) ends too early; a part of it was cut off on the way."
            )
        case .malformed:
            self.init(code: .receiptMalformed, message: "\(part) is not what a receipt has there.")
        case .tooDeep:
            self.init(code: .receiptMalformed, message: "\(part) is nested deeper than any receipt.")
        }
    }
}
