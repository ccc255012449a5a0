import AppStoreModel

/// What a server sends to `/verifyReceipt`.
///
/// - Source: App Store Receipts, `requestBody`.
public struct VerifyReceiptRequest: Hashable, Sendable {
    /// The receipt in base64, of whatever age.
    public var receiptData: String
    /// The shared secret; needed where there are auto-renewable subscriptions.
    public var password: String?
    /// Whether only the newest transaction of each subscription is wanted.
    public var excludesOldTransactions: Bool

    /// Makes a request.
    public init(receiptData: String, password: String? = nil, excludesOldTransactions: Bool = false) {
        self.receiptData = receiptData
        self.password = password
        self.excludesOldTransactions = excludesOldTransactions
    }

    /// Reads a body; members that Apple does not know are left alone, as Apple does.
    ///
    /// `nil` when it is no JSON object with a receipt in it, or when a member has another type than Apple documents.
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

/// The verdict of `/verifyReceipt`.
///
/// - Source: App Store Receipts, `status`.
public struct VerifyReceiptStatus: RawRepresentable, Hashable, Sendable, Codable {
    /// The number in the answer.
    public let rawValue: Int64

    /// Takes a number.
    public init(rawValue: Int64) { self.rawValue = rawValue }

    /// The receipt is valid, whatever became of the subscriptions in it.
    public static let valid = Self(rawValue: 0)
    /// The request was no POST.
    public static let notPosted = Self(rawValue: 21_000)
    /// The request or the receipt in it is malformed, or the service had a temporary issue.
    public static let malformed = Self(rawValue: 21_002)
    /// The receipt is not authentic.
    public static let notAuthenticated = Self(rawValue: 21_003)
    /// The shared secret is another one.
    public static let wrongSharedSecret = Self(rawValue: 21_004)
    /// The service cannot answer at the moment.
    public static let unavailable = Self(rawValue: 21_005)
    /// The receipt is valid and its subscription over; only for transaction receipts of iOS 6.
    public static let expired = Self(rawValue: 21_006)
    /// A receipt of the sandbox was sent to production.
    public static let sandboxReceipt = Self(rawValue: 21_007)
    /// A receipt of production was sent to the sandbox.
    public static let productionReceipt = Self(rawValue: 21_008)
    /// The service could not read its data; it may later.
    public static let dataAccessFailed = Self(rawValue: 21_009)
    /// The customer's account is not there, or no longer.
    public static let accountNotFound = Self(rawValue: 21_010)
    /// The service could not read its data, for one of many reasons.
    public static let internalErrors: ClosedRange<Int64> = 21_100...21_199
}
