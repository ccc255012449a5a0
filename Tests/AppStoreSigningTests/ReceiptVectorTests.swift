import AppStoreModel
import AppStoreSigning
import PerennialPrimitives
import Testing

// All values below were read from the receipts by two other programs: `openssl asn1parse` and a decoder in Python.
@Suite(.enabled(if: Vectors.isConfigured, Comment(rawValue: Vectors.skipReason)))
struct `Receipts that Apple signed` {
    private func sandboxText() throws -> String {
        String(decoding: try Vectors.bytes("receipts/sandbox-app-receipt.base64.txt"), as: UTF8.self)
    }

    private func sandboxReceipt() throws -> AppReceipt {
        try ReceiptVerifier().verify(sandboxText()).get()
    }

    @Test func `the real sandbox receipt verifies down to Apple Root CA`() throws {
        let expectation = ReceiptExpectation(bundleId: "com.revenuecat.sampleapp", environment: .sandbox)

        let receipt = try ReceiptVerifier(expecting: expectation).verify(sandboxText()).get()

        #expect(receipt.receiptType == .productionSandbox)
        #expect(receipt.environment == .sandbox)
        #expect(receipt.bundleId == "com.revenuecat.sampleapp")
        #expect(receipt.applicationVersion == "4")
        #expect(receipt.originalApplicationVersion == "1.0")
        #expect(receipt.creationDate == 1_595_439_548_000)
        #expect(receipt.originalPurchaseDate == 1_375_340_400_000)
        #expect(receipt.expirationDate == nil)
        #expect(receipt.appItemId == 0)
        #expect(receipt.downloadId == 0)
        #expect(receipt.versionExternalIdentifier == 0)
        #expect(receipt.ageRating == "4+")
        #expect(receipt.opaqueValue.hexadecimal == "4b961fc7ecaf75a6bd3b9c3a12f0ee64")
        #expect(receipt.sha1Hash.hexadecimal == "75e515e631e505bb43f1c9be5c1818ffde68ef3c")
        #expect(
            receipt.bundleIdAttribute.hexadecimal == "0c18636f6d2e726576656e75656361742e73616d706c65617070"
        )
        #expect(receipt.unknownAttributes.map(\.type) == [8, 20, 11, 25, 14, 13, 9, 7, 6])
        #expect(receipt.unknownAttributes.first { $0.type == 9 }?.value == [0x02, 0x04, 0x50, 0x32, 0x35, 0x35])
    }

    @Test func `all nine purchases of the real sandbox receipt are read`() throws {
        let weekly = "com.revenuecat.monthly_4.99.1_week_intro"
        let expected: [(id: String, product: String, bought: Int64, ends: Int64, line: Int64, intro: Bool)] = [
            ("1000000692879214", weekly, 1_594_755_400_000, 1_594_755_700_000, 1_000_000_054_042_695, false),
            ("1000000692901513", weekly, 1_594_762_977_000, 1_594_763_277_000, 1_000_000_054_042_739, false),
            ("1000000692902182", weekly, 1_594_763_277_000, 1_594_763_577_000, 1_000_000_054_044_460, false),
            ("1000000692902990", weekly, 1_594_763_577_000, 1_594_763_877_000, 1_000_000_054_044_520, false),
            ("1000000692905419", weekly, 1_594_763_877_000, 1_594_764_177_000, 1_000_000_054_044_587, false),
            ("1000000692905971", weekly, 1_594_764_177_000, 1_594_764_477_000, 1_000_000_054_044_637, false),
            ("1000000692906727", weekly, 1_594_764_500_000, 1_594_764_800_000, 1_000_000_054_044_710, false),
            (
                "1000000696553650", "com.revenuecat.annual_39.99.2_week_intro", 1_595_439_546_000,
                1_595_443_146_000, 1_000_000_054_044_800, false
            ),
            ("1000000692878476", weekly, 1_594_755_206_000, 1_594_755_386_000, 1_000_000_054_042_694, true),
        ]

        let purchases = try sandboxReceipt().inAppPurchases

        try #require(purchases.count == expected.count)
        for (purchase, expected) in zip(purchases, expected) {
            #expect(purchase.transactionId == expected.id)
            #expect(purchase.originalTransactionId == "1000000692878476")
            #expect(purchase.productId == expected.product)
            #expect(purchase.purchaseDate == expected.bought)
            #expect(purchase.originalPurchaseDate == 1_594_755_207_000)
            #expect(purchase.expirationDate == expected.ends)
            #expect(purchase.webOrderLineItemId == expected.line)
            // The introductory period was a free trial, for which attribute 1719 is false.
            #expect(purchase.isInIntroductoryOfferPeriod == false)
            #expect(purchase.isTrialPeriod == expected.intro)
            #expect(purchase.quantity == 1)
            #expect(purchase.productType == 3)
            #expect(purchase.itemId == 0)
            #expect(purchase.cancellationDate == nil)
            #expect(purchase.promotionalOfferId == nil)
            #expect(purchase.unknownAttributes.map(\.type) == [1709, 1714, 1715, 1716, 1717, 1718])
        }
    }

    @Test func `the real receipt contains the root with the configured fingerprint`() throws {
        let certificates = try UnverifiedReceipt.decode(sandboxText()).certificates

        try #require(certificates.count == 3)
        #expect(try ReceiptRoot(der: certificates[2]).sha256 == ReceiptRoot.appleRootCA.sha256)
        let text = "b0b1730ecbc7ff4505142c49f1295e6eda6bcaed7e2c68c5be91b5a11001f024"
        #expect(ReceiptRoot.appleRootCA.sha256.hexadecimal == text)
        #expect(
            ReceiptVerifier(roots: [try ReceiptRoot(der: certificates[2])]).verify(try sandboxText()).failure == nil
        )
    }

    @Test func `the real receipt is refused with another root, app, environment or digest`()
        throws
    {
        let text = try sandboxText()
        let g3 = ReceiptRoot(.appleRootCAG3)

        #expect(ReceiptVerifier(roots: [g3]).verify(text).failure?.code == .chainNotTrusted)
        #expect(ReceiptVerifier(roots: []).verify(text).failure?.code == .chainNotTrusted)
        #expect(ReceiptVerifier(digests: [.sha256]).verify(text).failure?.code == .digestAlgorithmNotSupported)
        let other = ReceiptVerifier(expecting: ReceiptExpectation(bundleId: "com.example.other"))
        #expect(other.verify(text).failure?.code == .bundleIdMismatch)
        let production = ReceiptVerifier(expecting: ReceiptExpectation(environment: .production))
        #expect(production.verify(text).failure?.code == .environmentMismatch)
        let device = ReceiptVerifier(expecting: ReceiptExpectation(deviceIdentifier: ReceiptSamples.device))
        #expect(device.verify(text).failure?.code == .deviceHashMismatch)
    }

    @Test func `the real receipt is valid although its certificates have expired, unless today's date is used`() throws
    {
        // The leaf was valid from 2015-11-13T02:15:09Z to 2023-02-07T21:48:47Z.
        let first: Int64 = 1_447_380_909_000
        let last: Int64 = 1_675_806_527_000
        func code(at time: Int64) throws -> VerificationFailure.Code? {
            ReceiptVerifier(validity: .at(time)).verify(try sandboxText()).failure?.code
        }

        #expect(try code(at: first) == nil)
        #expect(try code(at: last) == nil)
        #expect(try code(at: first - 1) == .certificateNotValid)
        #expect(try code(at: last + 1) == .certificateNotValid)
    }

    @Test func `the real receipt with a changed byte never verifies`() throws {
        let receipt = try #require(ReceiptSamples.bytes(ofBase64: try sandboxText()))
        let verifier = ReceiptVerifier()
        // The content is 4211 bytes from the 63rd on; every eleventh byte, to save time.
        for index in stride(from: 62, to: 62 + 4211, by: 11) {
            var changed = receipt
            changed[index] ^= 0x01
            #expect(verifier.verify(changed).payload == nil)
        }
    }

    @Test(arguments: ["xcode-app-receipt-empty", "xcode-app-receipt-with-transaction"])
    func `a receipt of Xcode decodes and is refused as one of Xcode`(name: String) throws {
        let text = String(decoding: try Vectors.bytes("xcode/\(name)"), as: UTF8.self)
        let hasPurchase = name.hasSuffix("with-transaction")

        let decoded = try UnverifiedReceipt.decode(text)

        #expect(decoded.isSigned)
        #expect(decoded.certificates.count == 1)
        #expect(decoded.receipt.receiptType == .xcode)
        #expect(decoded.receipt.environment == .xcode)
        #expect(decoded.receipt.bundleId == "com.example.naturelab.backyardbirds.example")
        #expect(decoded.receipt.applicationVersion == "1")
        #expect(decoded.receipt.appItemId == 0)
        #expect(decoded.receipt.sha1Hash.count == 20)
        #expect(decoded.receipt.opaqueValue.count == 8)
        #expect(decoded.receipt.creationDate == (hasPurchase ? 1_697_679_940_000 : 1_697_678_334_000))
        #expect(decoded.receipt.expirationDate == 64_092_211_200_000)
        #expect(decoded.receipt.originalApplicationVersion == nil)
        #expect(decoded.receipt.unknownAttributes == [ReceiptAttribute(type: 8, value: [0x16, 0x00])])
        #expect(ReceiptVerifier().verify(text).failure?.code == .receiptFromXcode)
        #expect(ReceiptVerifier().verify(text).failure?.message.contains("Xcode") == true)
        if hasPurchase {
            let purchase = try #require(decoded.receipt.inAppPurchases.first)
            #expect(decoded.receipt.inAppPurchases.count == 1)
            #expect(purchase.transactionId == "0")
            #expect(purchase.productId == "pass.premium")
            #expect(purchase.originalTransactionId == nil)
            #expect(purchase.purchaseDate == 1_697_679_936_000)
            #expect(purchase.expirationDate == 1_700_358_336_000)
            #expect(purchase.isInIntroductoryOfferPeriod == true)
            #expect(purchase.unknownAttributes.isEmpty)
        } else {
            #expect(decoded.receipt.inAppPurchases.isEmpty)
        }
    }

    @Test func `Xcode's own certificate cannot be made a root, since there is nothing between it and the receipt`()
        throws
    {
        let text = String(decoding: try Vectors.bytes("xcode/xcode-app-receipt-with-transaction"), as: UTF8.self)
        let certificate = try #require(try UnverifiedReceipt.decode(text).certificates.first)
        let root = try ReceiptRoot(der: certificate)

        #expect(ReceiptVerifier(roots: [root]).verify(text).failure?.code == .receiptFromXcode)
    }

    @Test func `the ids of real receipts are found, and Xcode's are not treated as Apple's`() throws {
        let sandbox = ReceiptTransactions.extract(from: try sandboxText())
        #expect(sandbox.transactions.count == 9)
        #expect(sandbox.absence == nil)
        #expect(sandbox.form == .appReceipt)
        #expect(sandbox.bundleId == "com.revenuecat.sampleapp")
        #expect(sandbox.environment == .sandbox)
        #expect(
            sandbox.transactions.first
                == ReceiptTransaction(
                    transactionId: "1000000692879214",
                    originalTransactionId: "1000000692878476",
                    productId: "com.revenuecat.monthly_4.99.1_week_intro"
                )
        )
        for name in ["xcode-app-receipt-empty", "xcode-app-receipt-with-transaction"] {
            let xcode = ReceiptTransactions.extract(from: try Vectors.bytes("xcode/\(name)"))
            #expect(xcode.transactions.isEmpty)
            #expect(xcode.absence?.code == .xcodeReceipt)
            #expect(xcode.environment == .xcode)
            #expect(xcode.bundleId == "com.example.naturelab.backyardbirds.example")
        }
        for name in ["xcode-signed-transaction", "xcode-signed-app-transaction"] {
            let signed = ReceiptTransactions.extract(from: try Vectors.bytes("xcode/\(name)"))
            #expect(signed.absence?.code == .jws)
        }
    }
}

extension ReceiptSamples {
    static func bytes(ofBase64 text: String) -> [UInt8]? {
        Base64.decode(Array(text.utf8).filter { $0 > UInt8(ascii: " ") }, .standard)
    }

    static func base64(_ bytes: [UInt8]) -> String {
        String(decoding: Base64.encode(bytes, .standard), as: UTF8.self)
    }
}
