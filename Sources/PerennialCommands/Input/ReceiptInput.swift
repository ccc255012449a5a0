import AppStoreModel

/// Finds the receipt in what people have at hand: its file, its base64, or a JSON body that carries it.
enum ReceiptInput: Hashable {
    /// The receipt as it is in its file.
    case bytes([UInt8])
    /// A text that should be a receipt in base64.
    case text(String)

    /// Where bodies carry a receipt: verifyReceipt's, the local store's, and those of servers that take receipts.
    static let members = ["receipt-data", "receipt", "app_receipt", "latest_receipt"]

    /// Looks at what was read.
    init(_ bytes: [UInt8]) {
        guard let text = String(validating: bytes, as: UTF8.self) else {
            self = .bytes(bytes)
            return
        }
        let object = (try? JSONParser.parseObject(bytes)) ?? [:]
        self = .text(Self.members.lazy.compactMap { object[$0]?.stringValue }.first ?? text)
    }
}
