import AppStoreModel
import AppStoreSigning
import AppStoreTestAuthorities
import AppStoreTesting
import Testing

/// Examples of a user's unit tests of receipts.
@Suite(.serialized) struct `Receipts of the test kit` {
    /// Shared by all tests, because generating RSA keys takes a while.
    private static let shared = Result { try AppStoreTestKit() }

    private let kit: AppStoreTestKit

    init() throws {
        kit = try Self.shared.get()
    }

    @Test func `a receipt takes one line, and verifies offline`() throws {
        let purchase = try kit.transaction()
        let receipt = try kit.receipt(of: [purchase, kit.renewal(of: purchase)])
        let verified = try kit.receiptVerifier().verify(receipt).get()

        #expect(verified.bundleId == kit.app.bundleId)
        #expect(verified.environment == .sandbox)
        #expect(
            verified.inAppPurchases.map(\.originalTransactionId)
                == Array(
                    repeating: purchase.payload.originalTransactionId,
                    count: 2
                )
        )
        #expect(verified.inAppPurchases.first?.expirationDate == purchase.payload.expiresDate)
        #expect(verified.creationDate == purchase.payload.expiresDate)
    }

    @Test func `transaction identifiers come out of it as out of Apple's`() throws {
        let purchase = try kit.transaction(productId: "lifetime", type: .nonConsumable)
        let extracted = ReceiptTransactions.extract(from: try kit.receipt(of: [purchase]))

        #expect(extracted.transactions.map(\.transactionId) == [purchase.payload.transactionId])
        #expect(extracted.absence == nil)
    }

    @Test func `a receipt without purchases is a receipt too`() throws {
        let receipt = try kit.receipt(of: [])

        #expect(try kit.receiptVerifier().verify(receipt).get().inAppPurchases.isEmpty)
        #expect(ReceiptTransactions.extract(from: receipt).absence?.code == .noPurchases)
    }

    @Test func `any field can be changed before signing`() throws {
        let receipt = try kit.receipt { $0.applicationVersion = "42" }

        #expect(try kit.receiptVerifier().verify(receipt).get().applicationVersion == "42")
    }

    @Test func `a verifier with only Apple's root refuses a kit's receipts`() throws {
        let receipt = try kit.receipt()

        #expect(ReceiptVerifier().verify(receipt).failure?.code == .chainNotTrusted)
    }

    @Test func `a receipt of another app is refused`() throws {
        let other = try AppStoreTestKit(
            app: AppIdentity(bundleId: "com.example.other", environment: .sandbox),
            receiptKeys: kit.receiptAuthority().keys
        )

        #expect(try kit.receiptVerifier().verify(other.receipt()).failure?.code == .bundleIdMismatch)
    }
}
