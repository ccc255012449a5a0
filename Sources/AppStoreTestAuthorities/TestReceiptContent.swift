package import AppStoreSigning

/// Writes the content of receipts: attributes in the App Store's form.
package enum TestReceiptContent {
    /// The content of a receipt.
    package static func bytes(_ receipt: AppReceipt) -> [UInt8] {
        set(attributes(of: receipt))
    }

    /// A set of attributes.
    package static func set(_ attributes: [[UInt8]]) -> [UInt8] {
        BERWriter.element(BERTag.set, attributes)
    }

    /// An attribute with raw bytes.
    package static func attribute(_ type: Int64, version: Int64 = 1, _ value: [UInt8]) -> [UInt8] {
        BERWriter.element(
            BERTag.sequence,
            [BERWriter.integer(type), BERWriter.integer(version), BERWriter.element(BERTag.octetString, value)]
        )
    }

    /// The attributes of a receipt.
    package static func attributes(of receipt: AppReceipt) -> [[UInt8]] {
        var writer = Writer()
        writer.add(0, text: receipt.receiptType?.rawValue)
        writer.add(1, receipt.appItemId)
        writer.add(2, raw: receipt.bundleIdAttribute)
        writer.add(3, text: receipt.applicationVersion)
        writer.add(4, raw: receipt.opaqueValue)
        writer.add(5, raw: receipt.sha1Hash)
        writer.add(10, ascii: receipt.ageRating)
        writer.add(12, date: receipt.creationDate)
        writer.add(15, receipt.downloadId)
        writer.add(16, receipt.versionExternalIdentifier)
        for purchase in receipt.inAppPurchases {
            writer.add(17, raw: set(attributes(of: purchase)))
        }
        writer.add(18, date: receipt.originalPurchaseDate)
        writer.add(19, text: receipt.originalApplicationVersion)
        writer.add(21, date: receipt.expirationDate)
        writer.add(receipt.unknownAttributes)
        return writer.attributes
    }

    /// The attributes of a purchase.
    package static func attributes(of purchase: InAppPurchaseReceipt) -> [[UInt8]] {
        var writer = Writer()
        writer.add(1701, purchase.quantity)
        writer.add(1702, text: purchase.productId)
        writer.add(1703, text: purchase.transactionId)
        writer.add(1704, date: purchase.purchaseDate)
        writer.add(1705, text: purchase.originalTransactionId)
        writer.add(1706, date: purchase.originalPurchaseDate)
        writer.add(1707, purchase.productType)
        writer.add(1708, date: purchase.expirationDate)
        writer.add(1710, purchase.itemId)
        writer.add(1711, purchase.webOrderLineItemId)
        // The App Store always writes this one, empty if there is no date.
        writer.add(1712, ascii: purchase.cancellationDate.map { ReceiptDate.text($0) } ?? "")
        writer.add(1713, purchase.isTrialPeriod.map { $0 ? 1 : 0 })
        writer.add(1719, purchase.isInIntroductoryOfferPeriod.map { $0 ? 1 : 0 })
        writer.add(1721, text: purchase.promotionalOfferId)
        writer.add(purchase.unknownAttributes)
        return writer.attributes
    }

    /// Collects attributes; absent values are omitted.
    private struct Writer {
        private(set) var attributes: [[UInt8]] = []

        mutating func add(_ type: Int64, raw value: [UInt8]) {
            attributes.append(TestReceiptContent.attribute(type, value))
        }

        mutating func add(_ type: Int64, _ number: Int64?) {
            guard let number else { return }
            add(type, raw: BERWriter.integer(number))
        }

        mutating func add(_ type: Int64, text: String?) {
            guard let text else { return }
            add(type, raw: BERWriter.element(BERTag.utf8String, Array(text.utf8)))
        }

        mutating func add(_ type: Int64, ascii text: String?) {
            guard let text else { return }
            add(type, raw: BERWriter.element(BERTag.ia5String, Array(text.utf8)))
        }

        mutating func add(_ type: Int64, date: Int64?) {
            add(type, ascii: date.map { ReceiptDate.text($0) })
        }

        mutating func add(_ unknown: [ReceiptAttribute]) {
            attributes += unknown.map { TestReceiptContent.attribute($0.type, version: $0.version, $0.value) }
        }
    }
}
