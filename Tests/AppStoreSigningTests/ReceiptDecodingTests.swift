import AppStoreModel
import AppStoreSigning
import AppStoreTestAuthorities
import PerennialPrimitives
import Testing

@Suite struct `Decoding of receipts` {
    private typealias Content = TestReceiptContent

    /// The minimum content of a receipt.
    private static let least = [Content.attribute(2, text("com.example")), date(12, "2026-03-05T09:00:00Z")]

    private static func text(_ text: String, tag: UInt8 = 0x0C) -> [UInt8] {
        [tag, UInt8(text.utf8.count)] + text.utf8
    }

    private static func date(_ type: Int64, _ date: String) -> [UInt8] {
        Content.attribute(type, text(date, tag: 0x16))
    }

    private func decode(_ attributes: [[UInt8]]) throws -> AppReceipt {
        try UnverifiedReceipt.decode(try ReceiptSamples.authority.mint(content: Content.set(attributes))).receipt
    }

    private func refusal(_ attributes: [[UInt8]]) throws -> VerificationFailure.Code? {
        try ReceiptSamples.refusal(content: Content.set(attributes))
    }

    @Test func `attributes may come in any order`() throws {
        let receipt = ReceiptSamples.receipt
        var random = SplitMix64(seed: 1)
        for _ in 0..<20 {
            var shuffled = receipt
            shuffled.inAppPurchases = []
            let attributes = Content.attributes(of: shuffled)
            let purchases = receipt.inAppPurchases.map { purchase in
                Content.attribute(17, Content.set(Content.attributes(of: purchase).shuffled(using: &random)))
            }
            let decoded = try decode((attributes + purchases).shuffled(using: &random))
            #expect(Set(decoded.inAppPurchases) == Set(receipt.inAppPurchases))
            shuffled.inAppPurchases = decoded.inAppPurchases
            #expect(decoded == shuffled)
        }
    }

    @Test func `unknown attributes are kept as they were sent, including duplicates`() throws {
        let unknown = [
            ReceiptAttribute(type: 99, version: 7, value: [1, 2, 3]),
            ReceiptAttribute(type: 99, value: []),
            ReceiptAttribute(type: -1, value: [0xFF]),
            ReceiptAttribute(type: .max, value: [4]),
        ]
        let attributes = unknown.map { Content.attribute($0.type, version: $0.version, $0.value) }

        #expect(try decode(Self.least + attributes).unknownAttributes == unknown)
    }

    @Test func `an empty date means none`() throws {
        let purchase = [Content.attribute(1702, Self.text("p")), Content.attribute(1703, Self.text("1"))]
        let dates = [1704, 1706, 1708, 1712].map { Self.date($0, "") }

        let receipt = try decode(
            Self.least + [Self.date(21, ""), Content.attribute(17, Content.set(purchase + dates))]
        )

        #expect(receipt.expirationDate == nil)
        #expect(receipt.creationDate == 1_772_701_200_000)
        let decoded = try #require(receipt.inAppPurchases.first)
        #expect(decoded == InAppPurchaseReceipt(productId: "p", transactionId: "1", quantity: nil))
    }

    @Test func `texts may be of any of the three kinds that Apple's systems write`() throws {
        for tag: UInt8 in [0x0C, 0x13, 0x16] {
            #expect(try decode([Content.attribute(2, Self.text("a.b", tag: tag))]).bundleId == "a.b")
        }
        #expect(try refusal([Content.attribute(2, Self.text("a.b", tag: 0x04))]) == .receiptMalformed)
    }

    @Test func `a receipt must name its app, and a purchase its product and transaction`() throws {
        #expect(try refusal([Self.date(12, "2026-03-05T09:00:00Z")]) == .receiptMalformed)
        #expect(try refusal([]) == .receiptMalformed)
        for missing in [1702, 1703] as [Int64] {
            let rest = [1702, 1703].filter { $0 != missing }.map { Content.attribute($0, Self.text("x")) }
            #expect(try refusal(Self.least + [Content.attribute(17, Content.set(rest))]) == .receiptMalformed)
        }
    }

    @Test(
        arguments: [
            (12, [0x16, 0x03, 0x6E, 0x6F, 0x77]), (12, [0x02, 0x01, 0x00]), (21, [0x16, 0x01]),
            (3, [0x0C, 0x01, 0xFF]),
            (2, []), (19, [0x0C, 0x00, 0x00]), (2, [0x0C, 0x01, 0x61, 0x0C, 0x01, 0x62]),
        ] as [(Int64, [UInt8])]
    )
    func `a receipt with an invalid documented attribute is refused`(type: Int64, value: [UInt8]) throws {
        let others = Self.least.filter { Self.number(of: $0) != type }

        #expect(try refusal(others + [Content.attribute(type, value)]) == .receiptMalformed)
    }

    @Test func `an unexpected undocumented attribute is kept without effect`() throws {
        let odd = [0, 1, 10, 15, 16, 18].map { ReceiptAttribute(type: $0, value: [0xDE, 0xAD]) }

        let receipt = try decode(Self.least + odd.map { Content.attribute($0.type, $0.value) })

        #expect(receipt.unknownAttributes == odd)
        #expect(receipt.receiptType == nil)
        #expect(receipt.environment == nil)
        #expect(receipt.appItemId == nil)
    }

    @Test(arguments: [0, 2, 3, 4, 5, 12, 19, 21] as [Int64])
    func `an attribute that occurs twice refuses the receipt, since readers would disagree about it`(type: Int64) throws
    {
        let attributes = Content.attributes(of: fullReceipt)
        let copies = attributes.filter { Self.number(of: $0) == type }
        try #require(copies.count == 1)

        #expect(try refusal(attributes) == nil)
        #expect(try refusal(attributes + copies) == .receiptMalformed)
    }

    @Test(arguments: [1701, 1702, 1703, 1704, 1705, 1706, 1708, 1711, 1712, 1719] as [Int64])
    func `an attribute that occurs twice in a purchase refuses the receipt`(type: Int64) throws {
        let attributes = Content.attributes(of: ReceiptSamples.purchase(1))
        let copies = attributes.filter { Self.number(of: $0) == type }
        try #require(copies.count == 1)

        #expect(try refusal(Self.least + [Content.attribute(17, Content.set(attributes))]) == nil)
        #expect(
            try refusal(Self.least + [Content.attribute(17, Content.set(attributes + copies))]) == .receiptMalformed
        )
    }

    @Test func `numbers of any size that fit 64 bits are read, larger ones refused`() throws {
        for number in [0, 1, -1, 127, 128, -128, -129, 255, 256, 1_000_000_054_042_695, .max, .min] as [Int64] {
            var receipt = ReceiptSamples.receipt
            receipt.inAppPurchases[0].webOrderLineItemId = number
            let bytes = try ReceiptSamples.authority.mint(receipt)
            #expect(try UnverifiedReceipt.decode(bytes).receipt.inAppPurchases[0].webOrderLineItemId == number)
        }
        let purchase = [Content.attribute(1702, Self.text("p")), Content.attribute(1703, Self.text("1"))]
        for value in [[0x02, 0x00], [0x02, 0x09, 1, 0, 0, 0, 0, 0, 0, 0, 0]] as [[UInt8]] {
            let set = Content.set(purchase + [Content.attribute(1711, value)])
            #expect(try refusal(Self.least + [Content.attribute(17, set)]) == .receiptMalformed)
        }
    }

    private var fullReceipt: AppReceipt {
        var receipt = ReceiptSamples.receipt
        receipt.expirationDate = ReceiptSamples.creationDate
        return receipt
    }

    private static func number(of attribute: [UInt8]) -> Int64? {
        let content = Content.set([attribute])
        var reader = BERReader(content[...])
        guard
            let set = try? reader.next(), var attributes = try? reader.contents(of: set),
            let sequence = try? attributes.next(), var parts = try? attributes.contents(of: sequence),
            let type = try? parts.next()
        else { return nil }
        return content[type.content].reduce(0) { $0 << 8 | Int64($1) }
    }
}
