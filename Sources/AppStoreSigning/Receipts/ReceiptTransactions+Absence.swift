extension ReceiptTransactions {
    /// Why a receipt has no transaction identifier: a stable code, and a message with the remedy.
    public struct Absence: Hashable, Sendable {
        /// A stable, machine-readable reason in `snake_case`.
        ///
        /// Open: later versions may add codes, so switch with a default.
        public struct Code: RawRepresentable, Hashable, Sendable {
            /// The code as it appears in logs and answers.
            public let rawValue: String

            /// Wraps a code, known or not.
            public init(rawValue: String) {
                self.rawValue = rawValue
            }

            /// The customer had no purchases when the receipt was created.
            public static let noPurchases = Self(rawValue: "no_purchases")
            /// The receipt has purchases, but none of their transaction identifiers is readable.
            public static let unreadablePurchases = Self(rawValue: "unreadable_purchases")
            /// The receipt is from StoreKit testing in Xcode, whose identifiers the App Store does not know.
            public static let xcodeReceipt = Self(rawValue: "xcode_receipt")
            /// A JWS of StoreKit 2 was sent instead of a receipt.
            public static let jws = Self(rawValue: "jws")
            /// The receipt was encoded in base64 twice.
            public static let doublyEncoded = Self(rawValue: "doubly_encoded")
            /// The receipt is truncated.
            public static let truncated = Self(rawValue: "truncated")
            /// The text is not base64.
            public static let notBase64 = Self(rawValue: "not_base64")
            /// The input is empty.
            public static let empty = Self(rawValue: "empty")
            /// The bytes are neither an app receipt nor a transaction receipt.
            public static let notAReceipt = Self(rawValue: "not_a_receipt")
            /// A transaction receipt without a transaction.
            public static let noTransactionId = Self(rawValue: "no_transaction_id")
            /// The input exceeds the maximum size.
            public static let tooLarge = Self(rawValue: "too_large")
        }

        /// The stable reason.
        public let code: Code

        /// One sentence for people, with the remedy; contains no customer data.
        public let message: String
    }
}

extension ReceiptTransactions.Absence: CustomStringConvertible {
    /// The code and the message.
    public var description: String {
        "\(code.rawValue): \(message)"
    }
}

extension ReceiptTransactions.Absence {
    static let noPurchases = Self(
        code: .noPurchases,
        message: "The receipt is readable and has no purchases; the customer had none when it was made."
    )
    static let unreadablePurchases = Self(
        code: .unreadablePurchases,
        message: "The receipt has purchases, but none of their ids can be read; let the app refresh its receipt."
    )
    static let xcodeReceipt = Self(
        code: .xcodeReceipt,
        message: "The receipt was made by StoreKit testing in Xcode; the App Store does not know its transactions."
    )
    static let jws = Self(
        code: .jws,
        message: "This is a JWS of StoreKit 2, not a receipt; decode it, its payload has the transaction id."
    )
    static let doublyEncoded = Self(
        code: .doublyEncoded,
        message: "The receipt is encoded in base64 twice; decode it once, and correct the sender."
    )
    static let truncated = Self(
        code: .truncated,
        message: "The receipt is truncated; check for a database column or a request limit that is too small."
    )
    static let notBase64 = Self(
        code: .notBase64,
        message: "The text is not base64; send the receipt's file in base64."
    )
    static let empty = Self(
        code: .empty,
        message: "The input is empty; let the app refresh its receipt, because it may have none."
    )
    static let notAReceipt = Self(
        code: .notAReceipt,
        message: "The data is neither an app receipt nor a transaction receipt; send the receipt's bytes in base64, "
            + "unchanged."
    )
    static let json = Self(
        code: .notAReceipt,
        message: "This is JSON, not a receipt; send the text of the member that holds the receipt."
    )
    static let noTransactionId = Self(
        code: .noTransactionId,
        message: "The transaction receipt names no transaction."
    )
    static let tooLarge = Self(
        code: .tooLarge,
        message: "The text exceeds the maximum size of a receipt."
    )
}
