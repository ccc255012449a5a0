import AppStoreSigning
import PerennialPrimitives
import Testing

@Suite struct `Nonces of signatures` {
    @Test func `a nonce is a UUID in lower case`() throws {
        let nonce = try SignatureNonce("8B5D3C64-0A0E-4F52-9E6C-5F8A0E3C1D27")

        #expect(nonce.text == "8b5d3c64-0a0e-4f52-9e6c-5f8a0e3c1d27")
        #expect(nonce == (try SignatureNonce(nonce.text)))
    }

    @Test(arguments: [
        "", "8b5d3c64", "8b5d3c640a0e4f529e6c5f8a0e3c1d27", "8b5d3c64-0a0e-4f52-9e6c-5f8a0e3c1d2g",
        "8b5d3c64-0a0e-4f52-9e6c-5f8a0e3c1d277", "8b5d3c64_0a0e-4f52-9e6c-5f8a0e3c1d27",
        "é5d3c64-0a0e-4f52-9e6c-5f8a0e3c1d27", String(repeating: "-", count: 36),
    ])
    func `text that is not a UUID is refused`(text: String) {
        let error = #expect(throws: SigningError.self) { try SignatureNonce(text) }
        #expect(error?.code == .nonceMalformed)
    }

    @Test func `new nonces are version 4 and differ`() throws {
        let nonces = (0..<100).map { _ in SignatureNonce.random() }

        #expect(Set(nonces).count == 100)
        for nonce in nonces {
            #expect((try SignatureNonce(nonce.text)) == nonce)
            let characters = Array(nonce.text)
            #expect(characters[14] == "4")
            #expect("89ab".contains(characters[19]))
        }
    }

    @Test func `the same source of random numbers gives the same nonces`() {
        var first = SplitMix64(seed: 1)
        var second = SplitMix64(seed: 1)
        let nonces = (0..<3).map { _ in SignatureNonce.random(using: &first) }

        #expect(nonces == (0..<3).map { _ in SignatureNonce.random(using: &second) })
        #expect(Set(nonces).count == 3)
    }
}
