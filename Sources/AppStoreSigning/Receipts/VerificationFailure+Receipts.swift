extension VerificationFailure.Code {
    /// The bytes are not a receipt: not a signed PKCS #7 container, or not the attributes of a receipt in it.
    public static let receiptMalformed = Self(rawValue: "receipt_malformed")
    /// The bytes begin like a receipt and end too early.
    public static let receiptTruncated = Self(rawValue: "receipt_truncated")
    /// The container holds no signature.
    public static let receiptNotSigned = Self(rawValue: "receipt_not_signed")
    /// The receipt was made by StoreKit testing in Xcode, under a certificate that Xcode makes for itself.
    public static let receiptFromXcode = Self(rawValue: "receipt_from_xcode")
    /// The signed digest is not that of the content.
    public static let receiptDigestMismatch = Self(rawValue: "receipt_digest_mismatch")
    /// The digest algorithm of the signature is none that the verifier allows.
    public static let digestAlgorithmNotSupported = Self(rawValue: "digest_algorithm_not_supported")
    /// The receipt's hash does not belong to the given device identifier.
    public static let deviceHashMismatch = Self(rawValue: "device_hash_mismatch")
}

extension VerificationFailure {
    /// A refusal of bytes that are not a receipt.
    static func receiptMalformed(_ message: String) -> Self {
        VerificationFailure(code: .receiptMalformed, message: message)
    }

    /// A refusal of bytes that cannot be read.
    ///
    /// - Parameters:
    ///   - error: What is wrong with the bytes.
    ///   - part: What was being read, as the beginning of a sentence.
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
