import AppStoreSigning
import AppStoreTestAuthorities
import PerennialPrimitives
import Testing

@Suite struct `Random receipts` {
    @Test func `a random receipt survives signing, decoding and verification`() throws {
        var random = SplitMix64(seed: 42)
        for _ in 0..<100 {
            let receipt = random.receipt()
            var recipe = TestReceiptRecipe()
            recipe.digest = Bool.random(using: &random) ? .sha1 : .sha256
            recipe.hasSignedAttributes = Bool.random(using: &random)
            recipe.hasIndefiniteLengths = Bool.random(using: &random)
            let bytes = try ReceiptSamples.authority.mint(receipt, recipe: recipe)

            #expect(try UnverifiedReceipt.decode(bytes).receipt == receipt)
            #expect(try ReceiptSamples.verifier.verify(bytes).get() == receipt)
            let found = ReceiptTransactions.extract(from: ReceiptSamples.base64(bytes))
            if receipt.receiptType != .xcode {
                #expect(found.transactions.map(\.transactionId) == receipt.inAppPurchases.map(\.transactionId))
                #expect((found.absence == nil) == !receipt.inAppPurchases.isEmpty)
            }
        }
    }

    @Test(arguments: [false, true], [false, true])
    func `every single changed byte of the content is refused`(hasAttributes: Bool, isIndefinite: Bool) throws {
        var recipe = TestReceiptRecipe()
        recipe.hasSignedAttributes = hasAttributes
        recipe.hasIndefiniteLengths = isIndefinite
        var receipt = ReceiptSamples.receipt
        receipt.inAppPurchases.removeLast()
        let content = TestReceiptContent.bytes(receipt)
        let bytes = try ReceiptSamples.authority.mint(receipt, recipe: recipe)
        let start = try #require(bytes.indices.first { bytes[$0...].starts(with: content) })
        let verifier = try ReceiptSamples.verifier
        var random = SplitMix64(seed: 7)

        for index in start..<start + content.count {
            var changed = bytes
            changed[index] ^= UInt8.random(in: 1...255, using: &random)
            #expect(verifier.verify(changed).payload == nil)
        }
    }

    @Test func `a changed byte anywhere never gives another valid receipt`() throws {
        let bytes = try ReceiptSamples.authority.mint(ReceiptSamples.receipt)
        // Configured by fingerprint, so that the root in the receipt is tested too.
        let root = try ReceiptRoot(sha256: try ReceiptSamples.authority.receiptRoot.sha256)
        let verifier = ReceiptVerifier(roots: [root])
        let certificates = try UnverifiedReceipt.decode(bytes).certificates.flatMap(\.self)
        let first = try #require(bytes.indices.first { bytes[$0...].starts(with: certificates) })
        var random = SplitMix64(seed: 8)
        var harmless = 0
        for index in bytes.indices {
            // The certificates are long and similar; every fifth byte is sufficient.
            if index >= first, index < first + certificates.count, index % 5 != 0 { continue }
            var changed = bytes
            changed[index] ^= UInt8.random(in: 1...255, using: &random)
            guard let receipt = verifier.verify(changed).payload else { continue }
            // Only the container's versions and its list of digests have no effect; verified data is the signed data.
            #expect(receipt == ReceiptSamples.receipt)
            harmless += 1
        }
        #expect(harmless < 25)
    }

    @Test func `random bytes and damaged receipts crash nothing and never verify as another receipt`() throws {
        let verifier = try ReceiptSamples.verifier
        var random = SplitMix64(seed: 9)
        let bytes = try ReceiptSamples.authority.mint(ReceiptSamples.receipt)
        for _ in 0..<5000 {
            let noise = random.bytes(0...300)
            #expect(verifier.verify(noise).payload == nil)
            #expect(verifier.verify([0x30, 0x80] + noise).payload == nil)
            #expect(ReceiptTransactions.extract(from: noise).transactions.isEmpty)
        }
        for _ in 0..<2000 {
            var damaged = bytes
            for _ in 0..<Int.random(in: 1...6, using: &random) {
                let start = Int.random(in: 0..<damaged.count, using: &random)
                let end = min(damaged.count, start + Int.random(in: 0...40, using: &random))
                damaged.replaceSubrange(start..<end, with: random.bytes(0...40))
            }
            let payload = verifier.verify(damaged).payload
            #expect(payload == nil || payload == ReceiptSamples.receipt)
            _ = ReceiptTransactions.extract(from: damaged)
        }
    }
}
