import AppStoreModel

/// A request of a server to `/verifyReceipt`.
///
/// - Source: App Store Receipts, `requestBody`.
public struct VerifyReceiptRequest: Hashable, Sendable {
    /// The receipt in base64, of any age.
    public var receiptData: String
    /// The shared secret; required with auto-renewable subscriptions.
    public var password: String?
    /// Whether to return only the newest transaction of each subscription.
    public var excludesOldTransactions: Bool

    /// Makes a request.
    public init(receiptData: String, password: String? = nil, excludesOldTransactions: Bool = false) {
        self.receiptData = receiptData
        self.password = password
        self.excludesOldTransactions = excludesOldTransactions
    }

    /// Reads a body; unknown members are ignored, as Apple does.
    ///
    /// `nil` if it is not a JSON object with a receipt, or if a member has the wrong type.
    public init?(body: [UInt8]) {
        guard case .object(let object) = try? JSONParser.parse(body),
            let receiptData = object["receipt-data"]?.stringValue
        else { return nil }
        self.init(receiptData: receiptData)
        if let member = object["password"], !member.isNull {
            guard let text = member.stringValue else { return nil }
            password = text
        }
        if let member = object["exclude-old-transactions"], !member.isNull {
            guard let flag = member.boolValue else { return nil }
            excludesOldTransactions = flag
        }
    }
}

/// The status of `/verifyReceipt`.
///
/// - Source: App Store Receipts, `status`.
public struct VerifyReceiptStatus: RawRepresentable, Hashable, Sendable, Codable {
    /// The number in the answer.
    public let rawValue: Int64

    /// Makes a status from its number.
    public init(rawValue: Int64) { self.rawValue = rawValue }

    /// The receipt is valid, regardless of its subscriptions.
    public static let valid = Self(rawValue: 0)
    /// The request was not a POST.
    public static let notPosted = Self(rawValue: 21_000)
    /// The request or its receipt is malformed, or the service had a temporary issue.
    public static let malformed = Self(rawValue: 21_002)
    /// The receipt is not authentic.
    public static let notAuthenticated = Self(rawValue: 21_003)
    /// The shared secret does not match.
    public static let wrongSharedSecret = Self(rawValue: 21_004)
    /// The service cannot answer at the moment.
    public static let unavailable = Self(rawValue: 21_005)
    /// The receipt is valid and its subscription has expired; only for transaction receipts of iOS 6.
    public static let expired = Self(rawValue: 21_006)
    /// A sandbox receipt was sent to production.
    public static let sandboxReceipt = Self(rawValue: 21_007)
    /// A production receipt was sent to the sandbox.
    public static let productionReceipt = Self(rawValue: 21_008)
    /// The service could not read its data, but may later.
    public static let dataAccessFailed = Self(rawValue: 21_009)
    /// The customer's account does not exist, or was deleted.
    public static let accountNotFound = Self(rawValue: 21_010)
    /// The service could not read its data, for one of many reasons.
    public static let internalErrors: ClosedRange<Int64> = 21_100...21_199
}
