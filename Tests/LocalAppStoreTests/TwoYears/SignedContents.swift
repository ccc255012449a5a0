import AppStoreModel
import Foundation
import PerennialPrimitives

/// The signed transactions and renewal information of a run, to find two that differ although their dates are equal.
struct SignedContents: Sendable {
    /// What a payload describes, and its date.
    private struct Key: Hashable {
        let originalTransactionId: String
        /// `nil` in renewal information.
        let transactionId: String?
        let signedDate: Int64

        /// `nil` for payloads that are neither transactions nor renewal information.
        init?(_ payload: JSONObject) {
            guard let originalTransactionId = payload["originalTransactionId"]?.stringValue,
                let signedDate = payload["signedDate"]?.integerValue
            else { return nil }
            transactionId = payload["transactionId"]?.stringValue
            guard transactionId != nil || payload["autoRenewStatus"] != nil else { return nil }
            self.originalTransactionId = originalTransactionId
            self.signedDate = signedDate
        }
    }

    /// How all signed data of a run begins.
    private static let start = Data(TwoYearsKeys.headerJSON.utf8).base64EncodedString() + "."

    private var known: Set<String> = []
    private var contents: [Key: String] = [:]
    /// The pairs of different payloads with equal dates.
    private(set) var conflicts: [String] = []

    /// Notes the signed data in a text, and those within signed notifications.
    mutating func note(_ text: String) throws {
        for signed in text.components(separatedBy: Self.start).dropFirst() {
            guard let end = signed.utf8.firstIndex(of: UInt8(ascii: ".")) else { continue }
            let payload = String(signed[..<end])
            guard known.insert(payload).inserted, let bytes = Base64.decode(payload.utf8, .url) else { continue }
            let content = String(decoding: bytes, as: UTF8.self)
            guard let key = Key(try JSONParser.parseObject(bytes)) else {
                try note(content)
                continue
            }
            // A payload that was noted before is known, so this one differs.
            if let other = contents.updateValue(content, forKey: key) { conflicts.append("\(other)\n\(content)") }
        }
    }
}
