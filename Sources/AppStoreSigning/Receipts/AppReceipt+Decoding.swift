// Documented attributes must have their documented form, or the receipt is refused: an unreadable date must not become
// a missing one. Undocumented attributes with an unexpected form are stored as they were sent.

extension AppReceipt {
    /// Decodes the content of a receipt.
    ///
    /// - Throws: `receipt_malformed` if the bytes are not the attributes of a receipt.
    init(content: ArraySlice<UInt8>) throws(VerificationFailure) {
        var decoder = AppReceiptDecoder()
        self = try decoder.receipt(content)
    }
}

/// Collects the attributes of one receipt.
private struct AppReceiptDecoder {
    private var fields = AppReceipt(bundleId: "", bundleIdAttribute: [])
    private var seen = SeenTypes(from: 0)

    mutating func receipt(_ content: ArraySlice<UInt8>) throws(VerificationFailure) -> AppReceipt {
        var type: Int64?
        do throws(BERError) {
            var reader = try ReceiptAttributeReader(content)
            while let attribute = try reader.next() {
                type = attribute.type
                try take(attribute)
                type = nil
            }
        } catch {
            throw .attributeMalformed(type, of: "the receipt")
        }
        guard seen.contains(2) else {
            throw .receiptMalformed("The receipt has no bundle id; attribute 2 is missing.")
        }
        return fields
    }

    private mutating func take(_ attribute: ReceiptAttributeReader.Attribute) throws(BERError) {
        guard attribute.type != 17 else {
            fields.inAppPurchases.append(try InAppPurchaseReceipt(attributes: attribute.value))
            return
        }
        let isKnown = try takeDocumented(attribute) || takeUndocumented(attribute)
        if isKnown {
            try seen.insert(attribute.type)
        } else {
            fields.unknownAttributes.append(attribute.raw)
        }
    }

    private mutating func takeDocumented(_ attribute: ReceiptAttributeReader.Attribute) throws(BERError) -> Bool {
        switch attribute.type {
        case 2: fields.name(bundleId: try attribute.text(), attribute: Array(attribute.value))
        case 3: fields.applicationVersion = try attribute.text()
        case 4: fields.opaqueValue = Array(attribute.value)
        case 5: fields.sha1Hash = Array(attribute.value)
        case 12: fields.creationDate = try attribute.date()
        case 19: fields.originalApplicationVersion = try attribute.text()
        case 21: fields.expirationDate = try attribute.date()
        default: return false
        }
        return true
    }

    private mutating func takeUndocumented(_ attribute: ReceiptAttributeReader.Attribute) -> Bool {
        do throws(BERError) {
            switch attribute.type {
            case 0: fields.receiptType = ReceiptType(rawValue: try attribute.text())
            case 1: fields.appItemId = try attribute.integer()
            case 10: fields.ageRating = try attribute.text()
            case 15: fields.downloadId = try attribute.integer()
            case 16: fields.versionExternalIdentifier = try attribute.integer()
            case 18: fields.originalPurchaseDate = try attribute.date()
            default: return false
            }
            return true
        } catch {
            return false
        }
    }
}

extension InAppPurchaseReceipt {
    /// Decodes one purchase.
    init(attributes: ArraySlice<UInt8>) throws(BERError) {
        var decoder = InAppPurchaseDecoder()
        self = try decoder.purchase(attributes)
    }
}

/// Collects the attributes of one purchase.
private struct InAppPurchaseDecoder {
    private var fields = InAppPurchaseReceipt(productId: "", transactionId: "", quantity: nil)
    private var seen = SeenTypes(from: 1700)

    mutating func purchase(_ attributes: ArraySlice<UInt8>) throws(BERError) -> InAppPurchaseReceipt {
        var reader = try ReceiptAttributeReader(attributes)
        while let attribute = try reader.next() {
            let isKnown = try takeDocumented(attribute) || takeUndocumented(attribute)
            if isKnown {
                try seen.insert(attribute.type)
            } else {
                fields.unknownAttributes.append(attribute.raw)
            }
        }
        guard seen.contains(1702), seen.contains(1703) else { throw .malformed }
        return fields
    }

    private mutating func takeDocumented(_ attribute: ReceiptAttributeReader.Attribute) throws(BERError) -> Bool {
        switch attribute.type {
        case 1701: fields.quantity = try attribute.integer()
        case 1702: fields.productId = try attribute.text()
        case 1703: fields.transactionId = try attribute.text()
        case 1704: fields.purchaseDate = try attribute.date()
        case 1705: fields.originalTransactionId = try attribute.textIfAny()
        case 1706: fields.originalPurchaseDate = try attribute.date()
        case 1708: fields.expirationDate = try attribute.date()
        case 1711: fields.webOrderLineItemId = try attribute.integer()
        case 1712: fields.cancellationDate = try attribute.date()
        case 1719: fields.isInIntroductoryOfferPeriod = try attribute.flag()
        default: return false
        }
        return true
    }

    private mutating func takeUndocumented(_ attribute: ReceiptAttributeReader.Attribute) -> Bool {
        do throws(BERError) {
            switch attribute.type {
            case 1707: fields.productType = try attribute.integer()
            case 1710: fields.itemId = try attribute.integer()
            case 1713: fields.isTrialPeriod = try attribute.flag()
            case 1721: fields.promotionalOfferId = try attribute.textIfAny()
            default: return false
            }
            return true
        } catch {
            return false
        }
    }
}

/// The attribute types with a field so far. Each may occur once; with duplicates, readers could disagree.
private struct SeenTypes {
    private let first: Int64
    private var bits: UInt64 = 0

    init(from first: Int64) {
        self.first = first
    }

    mutating func insert(_ type: Int64) throws(BERError) {
        guard !contains(type) else { throw .malformed }
        bits |= bit(type)
    }

    func contains(_ type: Int64) -> Bool {
        bits & bit(type) != 0
    }

    private func bit(_ type: Int64) -> UInt64 {
        // Called only with the types above, all less than 64 from the first; a larger shift would give zero.
        1 << UInt64(clamping: type &- first)
    }
}

extension VerificationFailure {
    fileprivate static func attributeMalformed(_ type: Int64?, of whole: String) -> Self {
        guard let type else {
            return .receiptMalformed("The content of \(whole) is not a set of attributes.")
        }
        return .receiptMalformed("Attribute \(type) of \(whole) occurs twice or is not what Apple documents.")
    }
}
