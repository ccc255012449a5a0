public import AppStoreModel

/// The transaction identifiers in a receipt, or the reason why there is none.
///
/// For servers with old receipts: any transaction identifier of a customer works with the App Store Server API. Nothing
/// is verified, so an identifier is no proof of a purchase.
public struct ReceiptTransactions: Hashable, Sendable {
    /// The two kinds of receipt.
    public enum Form: String, Hashable, Sendable {
        /// The receipt of an app, with all its purchases.
        case appReceipt = "app_receipt"
        /// The receipt of one purchase, as in iOS 6.
        case transactionReceipt = "transaction_receipt"
    }

    /// The transactions, in the receipt's order; empty exactly if there is an ``absence``.
    public let transactions: [ReceiptTransaction]

    /// Why there is no transaction identifier; absent if there is one.
    public let absence: Absence?

    /// The number of purchases that are unreadable or incomplete: an identifier or the product is missing.
    ///
    /// Readable identifiers are in ``transactions`` regardless. Zero in receipts of the App Store.
    public let unreadablePurchases: Int

    /// The kind of receipt; absent if it is none.
    public let form: Form?

    /// The app's bundle identifier; absent if the receipt does not contain it.
    public let bundleId: String?

    /// The environment; absent if the receipt does not contain it.
    public let environment: AppStoreEnvironment?

    /// Searches for transaction identifiers in a text: an app receipt or a transaction receipt in base64, in any
    /// variant.
    public static func extract(from text: String) -> ReceiptTransactions {
        // Base64 has four characters for three bytes; line breaks and escapes at most double that.
        guard text.utf8.count / 4 <= ReceiptVerifier.defaultBytesMax else {
            return ReceiptTransactions(absence: .tooLarge)
        }
        return extract(from: ReceiptText(text))
    }

    /// Searches for transaction identifiers in bytes: a binary app receipt, or a text with one.
    public static func extract(from bytes: [UInt8]) -> ReceiptTransactions {
        guard bytes.count <= ReceiptVerifier.defaultBytesMax else {
            return ReceiptTransactions(absence: .tooLarge)
        }
        return extract(from: ReceiptText(bytes))
    }
}

/// One transaction in a receipt.
public struct ReceiptTransaction: Hashable, Sendable {
    /// The transaction.
    public let transactionId: String

    /// The first transaction of the purchase; absent if the receipt does not contain it.
    public let originalTransactionId: String?

    /// The product; absent if the receipt does not contain it.
    public let productId: String?

    /// Makes a transaction.
    public init(transactionId: String, originalTransactionId: String? = nil, productId: String? = nil) {
        self.transactionId = transactionId
        self.originalTransactionId = originalTransactionId
        self.productId = productId
    }
}

// MARK: - Finding them

extension ReceiptTransactions {
    private init(
        _ transactions: [ReceiptTransaction] = [],
        absence: Absence?,
        unreadablePurchases: Int = 0,
        form: Form? = nil,
        bundleId: String? = nil,
        environment: AppStoreEnvironment? = nil
    ) {
        self.transactions = transactions
        self.absence = absence
        self.unreadablePurchases = unreadablePurchases
        self.form = form
        self.bundleId = bundleId
        self.environment = environment
    }

    private static func extract(from text: ReceiptText) -> ReceiptTransactions {
        switch text {
        case .receipt(let bytes): extract(fromAppReceipt: bytes)
        case .transactionReceipt(let text): extract(fromTransactionReceipt: text)
        case .json: ReceiptTransactions(absence: .json)
        case .empty: ReceiptTransactions(absence: .empty)
        case .jws: ReceiptTransactions(absence: .jws)
        case .doublyEncoded: ReceiptTransactions(absence: .doublyEncoded)
        case .notBase64: ReceiptTransactions(absence: .notBase64)
        case .other: ReceiptTransactions(absence: .notAReceipt)
        }
    }

    private static func extract(fromAppReceipt bytes: [UInt8]) -> ReceiptTransactions {
        let found: FoundIds
        do throws(VerificationFailure) {
            found = try FoundIds(content: SignedReceipt(bytes).content)
        } catch {
            return ReceiptTransactions(absence: error.code == .receiptTruncated ? .truncated : .notAReceipt)
        }
        // Xcode's identifiers are unknown to the App Store.
        let isXcode = found.receiptType == .xcode
        let transactions = isXcode ? [] : found.transactions
        let none: Absence = found.unreadablePurchases > 0 ? .unreadablePurchases : .noPurchases
        return ReceiptTransactions(
            transactions,
            absence: isXcode ? .xcodeReceipt : transactions.isEmpty ? none : nil,
            unreadablePurchases: found.unreadablePurchases,
            form: .appReceipt,
            bundleId: found.bundleId,
            environment: found.receiptType?.environment
        )
    }

    private static func extract(fromTransactionReceipt text: [UInt8]) -> ReceiptTransactions {
        let receipt: TransactionReceipt
        do throws(BERError) {
            receipt = try TransactionReceipt(text)
        } catch {
            return ReceiptTransactions(absence: error == .truncated ? .truncated : .notAReceipt)
        }
        let transaction = receipt.transactionId.map {
            ReceiptTransaction(
                transactionId: $0,
                originalTransactionId: receipt.originalTransactionId,
                productId: receipt.productId
            )
        }
        return ReceiptTransactions(
            transaction.map { [$0] } ?? [],
            absence: transaction == nil ? .noTransactionId : nil,
            form: .transactionReceipt,
            bundleId: receipt.bundleId,
            environment: receipt.environment.map { AppStoreEnvironment(rawValue: $0) }
        )
    }
}

/// The identifiers in an app receipt; unreadable parts do not hide the others.
private struct FoundIds {
    var receiptType: ReceiptType?
    var bundleId: String?
    var transactions: [ReceiptTransaction] = []
    var unreadablePurchases = 0

    init(content: ArraySlice<UInt8>) throws(VerificationFailure) {
        do throws(BERError) {
            var reader = try ReceiptAttributeReader(content)
            while let attribute = try reader.next() {
                switch attribute.type {
                case 0: receiptType = (try? attribute.text()).map { ReceiptType(rawValue: $0) }
                case 2: bundleId = try? attribute.text()
                case 17: take(PurchaseIds(attribute.value))
                default: break
                }
            }
        } catch {
            throw .receiptMalformed("The content of the receipt is not a set of attributes.")
        }
    }

    private mutating func take(_ purchase: PurchaseIds) {
        if !purchase.isWhole { unreadablePurchases += 1 }
        guard let id = purchase.transactionId ?? purchase.originalTransactionId else { return }
        transactions.append(
            ReceiptTransaction(
                transactionId: id,
                originalTransactionId: purchase.originalTransactionId,
                productId: purchase.productId
            )
        )
    }
}

/// The identifiers of one purchase, as far as they are readable.
private struct PurchaseIds {
    var productId: String?
    var transactionId: String?
    var originalTransactionId: String?
    /// Whether everything was readable; the ignored fields are included.
    private(set) var isWhole = true

    init(_ attributes: ArraySlice<UInt8>) {
        do throws(BERError) {
            var reader = try ReceiptAttributeReader(attributes)
            while let attribute = try reader.next() {
                switch attribute.type {
                case 1702: productId = text(attribute)
                case 1703: transactionId = text(attribute)
                case 1705: originalTransactionId = text(attribute)
                default: break
                }
            }
        } catch {
            // The rest is lost; what was read before is kept.
            isWhole = false
        }
    }

    private mutating func text(_ attribute: ReceiptAttributeReader.Attribute) -> String? {
        do throws(BERError) {
            return try attribute.textIfAny()
        } catch {
            isWhole = false
            return nil
        }
    }
}
