import PerennialPrimitives
import SubscriptionCore
import SubscriptionStorage
import Testing

/// The format in which a row stores the facts of its purchase.
@Suite struct `The facts in a purchase's row` {
    private static let purchase = OriginalTransactionID("2000000000000001")

    @Test func `are restored unchanged, for any facts`() throws {
        var random = SplitMix64(seed: 1)
        for _ in 0..<2_000 {
            let facts = PurchaseFacts.random(&random, of: Self.purchase)
            let bytes = facts.compactBytes
            let restored = try PurchaseFacts(compactBytes: bytes, of: Self.purchase)
            #expect(restored == facts)
            #expect(restored.compactBytes == bytes)
        }
        #expect(PurchaseFacts().compactBytes == nil)
    }

    @Test func `keep the spelling of every text`() throws {
        var facts = PurchaseFacts()
        for (index, storefront) in ["\u{E9}", "e\u{301}", "\u{E9}"].enumerated() {
            var fact = Self.transaction(index)
            fact.storefront = storefront
            _ = facts.save(.transaction(fact))
        }
        let restored = try PurchaseFacts(compactBytes: facts.compactBytes, of: Self.purchase)
        let lengths = restored.transactions.map { $0.storefront?.utf8.count }
        #expect(lengths == [2, 3, 2])
    }

    @Test func `that are truncated or changed are an error or other facts, never a crash`() throws {
        var random = SplitMix64(seed: 2)
        for _ in 0..<300 {
            let bytes = PurchaseFacts.random(&random, of: Self.purchase).compactBytes ?? []
            for length in 1..<max(1, bytes.count) {
                #expect(throws: StorageError.self) {
                    try PurchaseFacts(compactBytes: Array(bytes[..<length]), of: Self.purchase)
                }
            }
            for _ in 0..<20 where !bytes.isEmpty {
                var changed = bytes
                changed[Int.random(in: changed.indices, using: &random)] = .random(in: .min ... .max, using: &random)
                _ = try? PurchaseFacts(compactBytes: changed, of: Self.purchase)
            }
        }
    }

    @Test func `have few bytes for consecutive transactions`() throws {
        var facts = PurchaseFacts()
        for index in 0..<PurchaseFacts.transactionsMax { _ = facts.save(.transaction(Self.transaction(index))) }
        let count = try #require(facts.compactBytes).count
        // A SQLite row with more than about 1,000 bytes needs a second page.
        #expect(count < 650, "\(count)")
    }

    @Test(arguments: [
        "", "0", "7", "007", "123456789012345678", "1234567890123456789", "7e3fb20b-4cdb-47cc-936d-99d65f608138",
        "7E3FB20B-4cdb-47cc-936d-99d65f608138", "7e3fb20b-4cdb-47cc-936d-99d65f60813g", "\u{0}", "長",
        String(repeating: "a", count: 36), String(repeating: "0f", count: 32), String(repeating: "0F", count: 32),
    ])
    func `have identifiers of inputs that are restored from their keys`(text: String) throws {
        for kind in ["", "notification:", "transaction:", "renewal:", "receipt:", "other:"] {
            let id = EvidenceID(kind + text)
            let bytes = id.compactBytes
            #expect(try EvidenceID(compactBytes: bytes) == id)
            #expect(throws: StorageError.self) { try EvidenceID(compactBytes: bytes + [0]) }
        }
    }

    @Test func `have a notification's key of eighteen bytes`() {
        let id = EvidenceID("notification:7e3fb20b-4cdb-47cc-936d-99d65f608138")
        #expect(id.compactBytes.count == 18)
    }

    private static func transaction(_ index: Int) -> TransactionFact {
        TransactionFact(
            id: TransactionID("\(2_000_000_000_000_001 + index)"),
            originalID: purchase,
            productID: ProductID("com.example.pro.monthly"),
            kind: .autoRenewable,
            purchasedAt: Timestamp(milliseconds: 1_790_000_000_000 + Int64(index) * 2_600_000_000),
            originallyPurchasedAt: Timestamp(milliseconds: 1_790_000_000_000),
            signedAt: Timestamp(milliseconds: 1_790_000_000_500 + Int64(index) * 2_600_000_000),
            evidence: EvidenceID("notification:7e3fb20b-4cdb-47cc-936d-99d65f60813\(index)"),
            groupID: SubscriptionGroupID("21000001"),
            expiresAt: Timestamp(milliseconds: 1_792_600_000_000 + Int64(index) * 2_600_000_000),
            isRenewal: index > 0,
            price: Money(milliunits: 9_990, currency: "USD"),
            storefront: "USA",
            accountToken: "7e3fb20b-4cdb-47cc-936d-99d65f608138",
            appTransactionID: "704289572311513229"
        )
    }
}

extension PurchaseFacts {
    fileprivate static func random(
        _ random: inout some RandomNumberGenerator,
        of purchase: OriginalTransactionID
    ) -> PurchaseFacts {
        var facts = PurchaseFacts()
        for _ in 0..<Int.random(in: 0...14, using: &random) {
            _ = facts.save(.transaction(.random(&random, of: purchase)))
        }
        if let fact = random.maybe({ RenewalFact.random(&$0, of: purchase) }) { _ = facts.save(.renewal(fact)) }
        if let fact = random.maybe({ StatusFact.random(&$0, of: purchase) }) { _ = facts.save(.status(fact)) }
        return facts
    }
}
