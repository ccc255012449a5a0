import AppStoreModel
import AppStoreSigning
import AppStoreTestAuthorities
import PerennialPrimitives

/// Valid receipts of our own App Store, in which each test breaks one thing.
enum ReceiptSamples {
    static let bundleId = "com.example.perennial"
    static let creationDate: Int64 = 1_790_000_000_000
    static let device: [UInt8] = Array(1...16)

    /// One authority for all tests, because generating RSA keys takes time.
    static let shared = Result { () throws(SigningError) in try TestReceiptAuthority() }
    /// Another one, which is not trusted.
    static let foreign = Result { () throws(SigningError) in try TestReceiptAuthority() }

    static var authority: TestReceiptAuthority {
        get throws { try shared.get() }
    }

    static var verifier: ReceiptVerifier {
        get throws { ReceiptVerifier(roots: [try authority.receiptRoot]) }
    }

    static var receipt: AppReceipt {
        var receipt = AppReceipt(
            bundleId: bundleId,
            receiptType: .productionSandbox,
            creationDate: creationDate
        )
        receipt.applicationVersion = "42"
        receipt.originalApplicationVersion = "1.0"
        receipt.opaqueValue = [9, 8, 7, 6]
        receipt.sha1Hash = Array(repeating: 5, count: 20)
        receipt.inAppPurchases = [purchase(1), purchase(2)]
        return receipt
    }

    static func purchase(_ number: Int64) -> InAppPurchaseReceipt {
        var purchase = InAppPurchaseReceipt(
            productId: "pro.monthly",
            transactionId: String(2_000_000_000_000_000 + number),
            originalTransactionId: "2000000000000001",
            purchaseDate: creationDate - 5000
        )
        purchase.originalPurchaseDate = creationDate - 9000
        purchase.expirationDate = creationDate + 2_592_000_000
        purchase.webOrderLineItemId = 1_000_000_054_042_695 + number
        purchase.isInIntroductoryOfferPeriod = false
        return purchase
    }

    /// The refusal of a receipt that differs from a valid one.
    static func refusal(_ change: (inout TestReceiptRecipe) -> Void) throws -> VerificationFailure.Code? {
        var recipe = TestReceiptRecipe()
        change(&recipe)
        return try verifier.verify(authority.mint(receipt, recipe: recipe)).failure?.code
    }

    /// The refusal of signed content.
    static func refusal(content: [UInt8]) throws -> VerificationFailure.Code? {
        try verifier.verify(authority.mint(content: content)).failure?.code
    }
}

/// Random values that are equal in every run.
extension SplitMix64 {
    mutating func bytes(_ count: ClosedRange<Int>) -> [UInt8] {
        (0..<Int.random(in: count, using: &self)).map { _ in UInt8.random(in: .min ... .max, using: &self) }
    }

    mutating func maybe<Value>(_ value: (inout Self) -> Value) -> Value? {
        Bool.random(using: &self) ? value(&self) : nil
    }

    mutating func text() -> String {
        let alphabet = Array("abcXYZ019._-äß€🍏 ")
        return String(
            (0..<Int.random(in: 1...40, using: &self)).map { _ in alphabet.randomElement(using: &self) ?? "a" }
        )
    }

    /// A whole second from the year 1970 to 4001, as in receipts.
    mutating func date() -> Int64 {
        Int64.random(in: 0...64_092_211_200, using: &self) * 1000
    }

    mutating func number() -> Int64 {
        Int64.random(in: .min ... .max, using: &self) >> Int64.random(in: 0...63, using: &self)
    }

    /// Attributes of types without a field.
    mutating func attributes(from first: Int64) -> [ReceiptAttribute] {
        (0..<Int.random(in: 0...4, using: &self)).map { _ in
            ReceiptAttribute(
                type: first + Int64.random(in: 0...1000, using: &self),
                version: Int64.random(in: 1...3, using: &self),
                value: bytes(0...200)
            )
        }
    }

    mutating func receipt() -> AppReceipt {
        var receipt = AppReceipt(
            bundleId: text(),
            receiptType: maybe { ReceiptType(rawValue: $0.text()) },
            creationDate: ReceiptSamples.creationDate
        )
        receipt.applicationVersion = maybe { $0.text() }
        receipt.opaqueValue = bytes(0...64)
        receipt.sha1Hash = bytes(0...20)
        receipt.originalApplicationVersion = maybe { $0.text() }
        receipt.expirationDate = maybe { $0.date() }
        receipt.appItemId = maybe { $0.number() }
        receipt.ageRating = maybe { _ in "12+" }
        receipt.downloadId = maybe { $0.number() }
        receipt.versionExternalIdentifier = maybe { $0.number() }
        receipt.originalPurchaseDate = maybe { $0.date() }
        receipt.unknownAttributes = attributes(from: 22)
        receipt.inAppPurchases = (0..<Int.random(in: 0...6, using: &self)).map { _ in purchase() }
        return receipt
    }

    mutating func purchase() -> InAppPurchaseReceipt {
        var purchase = InAppPurchaseReceipt(
            productId: text(),
            transactionId: text(),
            originalTransactionId: maybe { $0.text() },
            quantity: maybe { $0.number() },
            purchaseDate: maybe { $0.date() }
        )
        purchase.originalPurchaseDate = maybe { $0.date() }
        purchase.expirationDate = maybe { $0.date() }
        purchase.cancellationDate = maybe { $0.date() }
        purchase.webOrderLineItemId = maybe { $0.number() }
        purchase.isInIntroductoryOfferPeriod = maybe { Bool.random(using: &$0) }
        purchase.isTrialPeriod = maybe { Bool.random(using: &$0) }
        purchase.productType = maybe { $0.number() }
        purchase.itemId = maybe { $0.number() }
        purchase.promotionalOfferId = maybe { $0.text() }
        purchase.unknownAttributes = attributes(from: 1722)
        return purchase
    }
}
