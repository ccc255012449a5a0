public import AppStoreModel
import Crypto

/// An app receipt: the app of a customer, and the purchases.
///
/// The App Store created one on every device before StoreKit 2, and old apps still send it. Finished consumables are
/// removed from it; everything else stays.
///
/// - Source: Receipt Fields (Apple, Archived documentation) for the attributes that Apple documents.
public struct AppReceipt: Hashable, Sendable {
    /// The type of the receipt.
    ///
    /// - Source: attribute 0, which Apple does not document; verifyReceipt, `receipt_type`.
    public var receiptType: ReceiptType?

    /// The app's bundle identifier.
    ///
    /// - Source: attribute 2.
    public private(set) var bundleId: String

    /// The bundle identifier in the form of ``sha1Hash``: with its ASN.1 header.
    ///
    /// - Source: attribute 2, the whole value.
    public private(set) var bundleIdAttribute: [UInt8]

    /// The app's version: `CFBundleVersion`, on macOS `CFBundleShortVersionString`.
    ///
    /// - Source: attribute 3.
    public var applicationVersion: String?

    /// Opaque bytes that are part of ``sha1Hash``.
    ///
    /// - Source: attribute 4.
    public var opaqueValue: [UInt8] = []

    /// Binds the receipt to a device; see ``belongs(toDevice:)``.
    ///
    /// - Units: 20 bytes.
    /// - Source: attribute 5.
    public var sha1Hash: [UInt8] = []

    /// When the receipt was created; the certificates must have been valid then.
    ///
    /// - Units: milliseconds since 1970-01-01T00:00:00Z.
    /// - Source: attribute 12.
    public var creationDate: Int64?

    /// The purchases, in the receipt's order, which has no meaning.
    ///
    /// - Source: attribute 17, one each.
    public var inAppPurchases: [InAppPurchaseReceipt] = []

    /// The version that the customer got first; `1.0` in the sandbox.
    ///
    /// - Source: attribute 19.
    public var originalApplicationVersion: String?

    /// When the receipt expires; only for the Volume Purchase Program (Xcode writes the year 4001).
    ///
    /// - Units: milliseconds since 1970-01-01T00:00:00Z.
    /// - Source: attribute 21.
    public var expirationDate: Int64?

    /// The app's Apple ID, 0 in the sandbox.
    ///
    /// - Source: attribute 1, which Apple does not document; verifyReceipt, `app_item_id`.
    public var appItemId: Int64?

    /// The age rating, such as `4+`.
    ///
    /// - Source: attribute 10, which Apple does not document; found in receipts.
    public var ageRating: String?

    /// The identifier of the app's download, 0 in the sandbox.
    ///
    /// - Source: attribute 15, which Apple does not document; verifyReceipt, `download_id`.
    public var downloadId: Int64?

    /// The identifier of the app's revision, 0 in the sandbox.
    ///
    /// - Source: attribute 16, which Apple does not document; verifyReceipt, `version_external_identifier`.
    public var versionExternalIdentifier: Int64?

    /// When the customer got the app first; 2013-08-01T07:00:00Z in the sandbox.
    ///
    /// - Units: milliseconds since 1970-01-01T00:00:00Z.
    /// - Source: attribute 18, which Apple does not document; verifyReceipt, `original_purchase_date`.
    public var originalPurchaseDate: Int64?

    /// All other attributes, in the receipt's order.
    public var unknownAttributes: [ReceiptAttribute] = []

    /// Makes a receipt without purchases; its other fields are set afterwards.
    public init(bundleId: String, receiptType: ReceiptType? = nil, creationDate: Int64? = nil) {
        let name = Array(bundleId.utf8)
        self.init(bundleId: bundleId, bundleIdAttribute: [BERTag.utf8String] + Self.length(of: name) + name)
        self.receiptType = receiptType
        self.creationDate = creationDate
    }

    /// The length of an element's content in DER.
    private static func length(of content: [UInt8]) -> [UInt8] {
        guard content.count >= 0x80 else { return [UInt8(content.count)] }
        let bytes = withUnsafeBytes(of: content.count.bigEndian) { Array($0.drop { $0 == 0 }) }
        return [0x80 | UInt8(bytes.count)] + bytes
    }

    /// The bundle identifier as it was sent.
    init(bundleId: String, bundleIdAttribute: [UInt8]) {
        self.bundleId = bundleId
        self.bundleIdAttribute = bundleIdAttribute
    }

    /// The bundle identifier as it was sent.
    mutating func name(bundleId: String, attribute: [UInt8]) {
        self.bundleId = bundleId
        bundleIdAttribute = attribute
    }
}

extension AppReceipt {
    /// The environment, by the name of the App Store Server API; absent if the receipt has no type.
    public var environment: AppStoreEnvironment? {
        receiptType?.environment
    }

    /// Whether the receipt was created for a device.
    ///
    /// - Parameter identifier: 16 bytes of `identifierForVendor`, or 6 bytes of the MAC address on macOS.
    public func belongs(toDevice identifier: [UInt8]) -> Bool {
        sha1Hash == AppReceipt.hash(device: identifier, opaqueValue: opaqueValue, bundleIdAttribute: bundleIdAttribute)
    }

    /// The hash that binds a receipt to a device.
    package static func hash(device identifier: [UInt8], opaqueValue: [UInt8], bundleIdAttribute: [UInt8]) -> [UInt8] {
        Array(Insecure.SHA1.hash(data: identifier + opaqueValue + bundleIdAttribute))
    }
}
