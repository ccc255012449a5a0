import AppStoreModel
import AppStoreSigning

/// Receipts without what differs from run to run.
///
/// A receipt is signed with an RSA key of its process, so its bytes differ. The signed content does not.
enum ReceiptContent {
    /// The content of a receipt in base64, as hexadecimal digits.
    static func of(_ receipt: String) throws -> String {
        try UnverifiedReceipt.decode(receipt).content.map { byte in
            let digits = String(byte, radix: 16)
            return digits.count == 1 ? "0" + digits : digits
        }.joined()
    }

    /// The JSON of a version 1 notification, with the content of its receipt instead of the receipt.
    static func replacingReceipts(in json: [UInt8]) -> String {
        guard case .object(let body) = try? JSONParser.parse(json) else { return String(decoding: json, as: UTF8.self) }
        return String(decoding: replacingReceipts(in: body).serialize(), as: UTF8.self)
    }

    /// An answer of `/verifyReceipt` or a version 1 notification, with the content of its receipt instead of the
    /// receipt.
    static func replacingReceipts(in body: JSONObject) -> JSONObject {
        var body = body
        if let receipt = body["latest_receipt"]?.stringValue {
            body["latest_receipt"] = .string((try? of(receipt)) ?? "not a receipt")
        }
        if let unified = body["unified_receipt"]?.objectValue {
            body["unified_receipt"] = .object(replacingReceipts(in: unified))
        }
        return body
    }
}
