import AppStoreModel

/// Finds the receipt in typical inputs: its file, its base64, or a JSON body that contains it.
enum ReceiptInput: Hashable {
    /// The receipt in its binary form.
    case bytes([UInt8])
    /// A text that should be a receipt in base64.
    case text(String)

    /// The members with a receipt: of verifyReceipt, of the local store, and of servers that accept receipts.
    static let members = ["receipt-data", "receipt", "app_receipt", "latest_receipt"]

    /// Determines the form of an input.
    init(_ bytes: [UInt8]) {
        guard let text = String(validating: bytes, as: UTF8.self) else {
            self = .bytes(bytes)
            return
        }
        self = .text(Self.receipt(in: text))
    }

    /// The receipt in a text: a member of a JSON body, or the whole text.
    static func receipt(in text: String) -> String {
        let object = (try? JSONParser.parseObject(Array(text.utf8))) ?? [:]
        return members.lazy.compactMap { object[$0]?.stringValue }.first ?? text
    }
}
