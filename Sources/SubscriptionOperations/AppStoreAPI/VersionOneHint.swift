import AppStoreModel
import SubscriptionCore

/// The usable content of a version 1 notification: it is not signed, so it only identifies a customer to look up.
///
/// - Source: App Store Server Notifications V1, `responseBodyV1`; Apple deprecates them.
struct VersionOneHint: Hashable, Sendable {
    /// The app.
    let app: AppID
    /// Apple's type, such as `DID_RENEW`; `UNKNOWN` if it has another form.
    let type: String
    /// The shared secret in it.
    let password: String?
    /// A transaction of the customer.
    let transactionID: String

    /// Reads a notification's body.
    ///
    /// - Throws: ``OperationError`` `notification_malformed`.
    init(_ body: JSONObject) throws(OperationError) {
        guard case .string(let bundleID)? = body["bid"] else { throw .malformed("bid") }
        guard case .string(let name)? = body["environment"] else { throw .malformed("environment") }
        switch name.uppercased() {
        case "PROD", "PRODUCTION": app = AppID(bundleID: bundleID, environment: .production)
        case "SANDBOX": app = AppID(bundleID: bundleID, environment: .sandbox)
        default: throw .malformed("environment")
        }
        type = Self.type(in: body)
        if case .string(let text)? = body["password"] { password = text } else { password = nil }
        guard let transactionID = Self.transactionID(in: body) else { throw .malformed("original_transaction_id") }
        self.transactionID = transactionID
    }

    private static func type(in body: JSONObject) -> String {
        let isLetter: (UInt8) -> Bool = {
            (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains($0) || $0 == UInt8(ascii: "_")
        }
        guard case .string(let text)? = body["notification_type"], (1...64).contains(text.utf8.count),
            text.utf8.allSatisfy(isLetter)
        else { return "UNKNOWN" }
        return text
    }

    /// Any transaction of the customer, from the fields that Apple has used over the years.
    private static func transactionID(in body: JSONObject) -> String? {
        if let id = identifier(body["original_transaction_id"]) { return id }
        let unified = body["unified_receipt"]?.objectValue
        let latest = [
            unified?["latest_receipt_info"], body["latest_receipt_info"], body["latest_expired_receipt_info"],
        ]
        for case let info? in latest {
            let transaction = if case .array(let list) = info { list.first?.objectValue } else { info.objectValue }
            if let id = identifier(transaction?["original_transaction_id"]) { return id }
        }
        return nil
    }

    private static func identifier(_ value: JSONValue?) -> String? {
        switch value {
        case .integer(let number)?: number > 0 ? String(number) : nil
        case .string(let text)?: text.isEmpty || text.utf8.count > 64 ? nil : text
        default: nil
        }
    }
}

extension OperationError {
    fileprivate static func malformed(_ field: String) -> OperationError {
        OperationError(
            "notification_malformed",
            "The version 1 notification has no usable \(field).",
            kind: .invalidRequest,
            parameter: field
        )
    }
}
