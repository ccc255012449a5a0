import AppStoreSigning
import AppStoreTestAuthorities
import Testing

@Suite struct `Hostile receipts` {
    private func code(_ bytes: [UInt8]) throws -> VerificationFailure.Code? {
        try ReceiptSamples.verifier.verify(bytes).failure?.code
    }

    @Test func `bytes that are not a container are refused as such`() throws {
        #expect(try code([]) == .receiptTruncated)
        #expect(try code([0x30]) == .receiptTruncated)
        #expect(try code([0x30, 0x00]) == .receiptMalformed)
        #expect(try code(Array("not a receipt".utf8)) == .receiptMalformed)
        #expect(try code([0x30, 0x80, 0x00, 0x00]) == .receiptMalformed)
        #expect(try code([0x30, 0x84, 0xFF, 0xFF, 0xFF, 0xFF]) == .receiptTruncated)
        #expect(try code([0x30, 0x88, 0x7F, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF]) == .receiptMalformed)
        #expect(try code([0x30, 0xFF]) == .receiptMalformed)
    }

    @Test(arguments: [false, true])
    func `every prefix of a receipt is refused, as truncated where that is detectable`(isIndefinite: Bool) throws {
        var recipe = TestReceiptRecipe()
        recipe.hasIndefiniteLengths = isIndefinite
        let bytes = try ReceiptSamples.authority.mint(ReceiptSamples.receipt, recipe: recipe)

        for count in 0..<bytes.count {
            #expect(try code(Array(bytes[..<count])) == .receiptTruncated)
        }
        #expect(try code(bytes) == nil)
        #expect(try code(bytes + [0]) == .receiptMalformed)
    }

    @Test(arguments: [UInt8(0x30), 0x24, 0xA0])
    func `deep nesting is refused`(tag: UInt8) throws {
        for depth in [18, 1000, 500_000] {
            let nested = Array(repeating: [tag, 0x80] as [UInt8], count: depth).flatMap(\.self)
            #expect(try code(nested) == .receiptMalformed)
            #expect(try code(nested + [UInt8](repeating: 0, count: 2 * depth)) == .receiptMalformed)
        }
    }

    @Test func `nested content parts are combined, up to a maximum depth`() throws {
        var octets = BERSample.element(0x04, TestReceiptContent.bytes(ReceiptSamples.receipt))
        for depth in 1...20 {
            octets = [0x24, 0x80] + octets + [0, 0]
            let decoded = try? UnverifiedReceipt.decode(BERSample.container(content: octets)).receipt
            #expect(decoded == (depth <= 11 ? ReceiptSamples.receipt : nil))
        }
    }

    @Test func `a length beyond its container is refused`() throws {
        let good = try ReceiptSamples.authority.mint(ReceiptSamples.receipt)
        let verifier = try ReceiptSamples.verifier
        var refused = 0
        // Every byte of the first five hundred, increased: changed headers are invalid, other bytes change the content.
        for index in 0..<500 {
            for lie: UInt8 in [0x7F, 0x80, 0xFF] where good[index] != lie {
                var bytes = good
                bytes[index] = lie
                let payload = verifier.verify(bytes).payload
                // The version of the container and its list of digests have no effect.
                #expect(payload == nil || payload == ReceiptSamples.receipt)
                refused += payload == nil ? 1 : 0
            }
        }
        #expect(refused > 1400)
    }

    @Test func `a million elements are read in time, without extra memory`() throws {
        let empty = Array(repeating: [0x04, 0x00] as [UInt8], count: 1_000_000).flatMap(\.self)
        let pieces = [0x24, 0x80] + empty + [0, 0]
        let sequences = Array(repeating: [0x30, 0x00] as [UInt8], count: 1_000_000).flatMap(\.self)

        let clock = ContinuousClock()
        let elapsed = clock.measure {
            #expect(throws: VerificationFailure.self) {
                try UnverifiedReceipt.decode(BERSample.container(content: pieces))
            }
            #expect(throws: VerificationFailure.self) {
                try UnverifiedReceipt.decode(
                    BERSample.container(content: BERSample.element(0x04, BERSample.element(0x31, sequences)))
                )
            }
            #expect(throws: VerificationFailure.self) {
                try UnverifiedReceipt.decode([0x30, 0x80] + sequences)
            }
        }
        // Milliseconds in release mode; the limit allows a debug build on a busy machine, but not a quadratic reader.
        #expect(elapsed < .seconds(300))
    }

    @Test func `a receipt with too many certificates is refused`() throws {
        let certificate = BERSample.element(0x30, [])
        let many = Array(repeating: certificate, count: 9).flatMap(\.self)
        let container = BERSample.container(
            content: BERSample.element(0x04, TestReceiptContent.bytes(ReceiptSamples.receipt)),
            certificates: many
        )

        #expect(try code(container) == .receiptMalformed)
    }

    @Test func `invalid certificates are refused`() throws {
        let good = try ReceiptSamples.authority.mint(ReceiptSamples.receipt)
        let certificates = try UnverifiedReceipt.decode(good).certificates
        let leaf = try #require(certificates.first)
        let position = try #require(good.indices.first { good[$0...].starts(with: leaf) })
        var bytes = good
        // The version inside the leaf: an INTEGER becomes a NULL.
        bytes[position + 10] = 0x05

        #expect(try code(bytes) == .certificateMalformed)
    }

    @Test func `a receipt that is too large is not read`() throws {
        let bytes = try ReceiptSamples.authority.mint(ReceiptSamples.receipt)
        let root = try ReceiptSamples.authority.receiptRoot
        let tight = ReceiptVerifier(roots: [root], bytesMax: bytes.count - 1)
        let exact = ReceiptVerifier(roots: [root], bytesMax: bytes.count)

        #expect(tight.verify(bytes).failure?.code == .payloadTooLarge)
        #expect(tight.verify(ReceiptSamples.base64(bytes)).failure?.code == .payloadTooLarge)
        #expect(exact.verify(bytes).failure == nil)
        #expect(exact.verify(ReceiptSamples.base64(bytes)).failure == nil)
    }

    @Test func `other texts never verify, and the error names their form`() throws {
        let texts = ["", " \n", "eyJh.eyJi.c2ln", "!!!", "aGVsbG8gd29ybGQh", "{}"]
        for text in texts {
            let failure = try ReceiptSamples.verifier.verify(text).failure
            #expect(failure?.code == .receiptMalformed)
        }
        let messages = try texts.map { try ReceiptSamples.verifier.verify($0).failure?.message }
        #expect(Set(messages).count == 5)
    }
}

/// Containers that no authority creates.
enum BERSample {
    /// An element with a length of four bytes.
    static func element(_ tag: UInt8, _ content: [UInt8]) -> [UInt8] {
        [tag, 0x84] + withUnsafeBytes(of: UInt32(content.count).bigEndian) { Array($0) } + content
    }

    /// A container without a signature.
    static func container(content: [UInt8], certificates: [UInt8] = []) -> [UInt8] {
        let pkcs7: [UInt8] = [0x06, 0x09, 0x2A, 0x86, 0x48, 0x86, 0xF7, 0x0D, 0x01, 0x07]
        let data = element(0x30, pkcs7 + [0x01] + element(0xA0, content))
        let parts = [0x02, 0x01, 0x01, 0x31, 0x00] + data + element(0xA0, certificates) + [0x31, 0x00]
        return element(0x30, pkcs7 + [0x02] + element(0xA0, element(0x30, parts)))
    }
}
