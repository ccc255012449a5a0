/// An app receipt taken apart without any check of who signed it.
///
/// For looking at data, for what Xcode makes, and for transaction ids that the App Store is asked about next. Nothing
/// in it may be believed: whoever made the bytes chose every one of them.
public struct UnverifiedReceipt: Hashable, Sendable {
    /// The receipt as sent.
    public let receipt: AppReceipt

    /// The content that a signature would cover.
    ///
    /// - Units: BER bytes.
    public let content: [UInt8]

    /// The certificates that came along.
    ///
    /// - Units: DER bytes each.
    public let certificates: [[UInt8]]

    /// Whether the container holds a signature, of whomever.
    public let isSigned: Bool

    /// Takes a receipt apart; never checks the signature.
    ///
    /// - Throws: `receipt_malformed` or `receipt_truncated` when the bytes are not a receipt, `payload_too_large` when
    ///   they are more than any receipt has (``ReceiptVerifier/defaultBytesMax``).
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

    /// Takes a receipt in base64 apart, in any of the spellings that servers meet; never checks the signature.
    ///
    /// - Throws: `receipt_malformed` or `receipt_truncated` when the text is not a receipt in base64.
    public static func decode(_ text: String) throws(VerificationFailure) -> UnverifiedReceipt {
        try decode(ReceiptText.receiptBytes(text))
    }
}
