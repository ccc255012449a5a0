/// A decoded app receipt whose signature was not checked.
///
/// For inspection, for Xcode's receipts, and for transaction identifiers that the App Store is queried for. Do not
/// trust its content: anyone can create it.
public struct UnverifiedReceipt: Hashable, Sendable {
    /// The receipt as sent.
    public let receipt: AppReceipt

    /// The content that a signature would cover.
    ///
    /// - Units: BER bytes.
    public let content: [UInt8]

    /// The certificates in the container.
    ///
    /// - Units: DER bytes each.
    public let certificates: [[UInt8]]

    /// Whether the container has a signature, by any signer.
    public let isSigned: Bool

    /// Decodes a receipt without checking its signature.
    ///
    /// - Throws: `receipt_malformed` or `receipt_truncated` if the bytes are not a receipt, `payload_too_large` if they
    ///   exceed the maximum size (``ReceiptVerifier/defaultBytesMax``).
    public static func decode(_ bytes: [UInt8]) throws(VerificationFailure) -> UnverifiedReceipt {
        guard bytes.count <= ReceiptVerifier.defaultBytesMax else {
            throw VerificationFailure(
                code: .payloadTooLarge,
                message: "The receipt has \(bytes.count) bytes; the limit is \(ReceiptVerifier.defaultBytesMax)."
            )
        }
        let container = try SignedReceipt(bytes)
        return UnverifiedReceipt(
            receipt: try AppReceipt(content: container.content),
            content: Array(container.content),
            certificates: container.certificates.map { Array($0) },
            isSigned: !container.signers.isEmpty
        )
    }

    /// Decodes a receipt in base64, in any variant, without checking its signature.
    ///
    /// - Throws: `receipt_malformed` or `receipt_truncated` if the text is not a receipt in base64.
    public static func decode(_ text: String) throws(VerificationFailure) -> UnverifiedReceipt {
        try decode(ReceiptText.receiptBytes(text))
    }
}
