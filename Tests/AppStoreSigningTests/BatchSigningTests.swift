import Crypto
import PerennialPrimitives
import Testing

@testable import AppStoreSigning
@testable import AppStoreTestAuthorities

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

@Suite struct `Signing in batches` {
    private let key = P256.Signing.PrivateKey()

    /// A header that fills a block of the hash only in part, with anything from nothing to a block after it.
    private func signer(headerFilling count: Int, isDeterministic: Bool = false) -> JWSSigner {
        let filling = String(repeating: "a", count: count)
        let ownSignature = { @Sendable [key] (text: [UInt8]) in
            try DeterministicECDSA<DeterministicP256>.signature(for: text, key: Array(key.rawRepresentation))
        }
        return JWSSigner(
            headerJSON: "{\"alg\":\"ES256\",\"x\":\"\(filling)\"}",
            key: key,
            ownSignature: isDeterministic ? ownSignature : nil
        )
    }

    private func payloads(_ count: Int) -> [[UInt8]] {
        (0..<count).map { [UInt8](repeating: UInt8(ascii: "b"), count: $0 * 37) }
    }

    @Test func `every payload of a batch has a signature of its own text, in the batch's order`() throws {
        for filling in 0..<50 {
            let signer = signer(headerFilling: filling)
            let payloads = payloads(1 + filling % 20)
            let signed = try signer.sign(payloads: payloads)
            #expect(signed.count == payloads.count)
            for (text, payload) in zip(signed, payloads) {
                let dot = try #require(text.lastIndex(of: "."))
                #expect(
                    text[..<dot]
                        == (try signer.sign(payload: payload)).split(separator: ".", omittingEmptySubsequences: false)
                        .dropLast().joined(separator: ".")
                )
                let signature = try #require(Base64.decode(Array(text[text.index(after: dot)...].utf8), .url))
                let isValid = key.publicKey.isValidSignature(
                    try P256.Signing.ECDSASignature(rawRepresentation: signature),
                    for: Array(text[..<dot].utf8)
                )
                #expect(isValid, "\(payload.count) bytes after a header with \(filling)")
            }
        }
    }

    @Test func `a deterministic batch equals its single signatures`() throws {
        let signer = signer(headerFilling: 3, isDeterministic: true)
        let payloads = payloads(9)
        #expect(try signer.sign(payloads: payloads) == payloads.map { try signer.sign(payload: $0) })
        #expect(try signer.sign(payloads: []).isEmpty)
    }
}
