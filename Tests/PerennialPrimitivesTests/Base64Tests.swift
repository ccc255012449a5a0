import Foundation
import PerennialPrimitives
import Testing

@Suite struct `Base64 on bytes` {
    @Test(arguments: 0...300)
    func `encoded bytes decode to the same bytes, as with Foundation`(count: Int) {
        let bytes = (0..<count).map { UInt8(truncatingIfNeeded: $0 &* 167 &+ 201) }

        let standard = Base64.encode(bytes, .standard)
        let url = Base64.encode(bytes, .url)

        #expect(String(decoding: standard, as: UTF8.self) == Data(bytes).base64EncodedString())
        #expect(!url.contains(UInt8(ascii: "=")))
        #expect(Base64.decode(standard, .standard) == bytes)
        #expect(Base64.decode(url, .url) == bytes)
    }

    @Test func `any bytes are encoded as Foundation encodes them`() {
        var random = SplitMix64(seed: 1)
        for _ in 0..<400 {
            let count = Int.random(in: 0...200, using: &random)
            let bytes = (0..<count).map { _ in UInt8.random(in: .min ... .max, using: &random) }
            let text = Data(bytes).base64EncodedString()
            #expect(String(decoding: Base64.encode(bytes, .standard), as: UTF8.self) == text)
            let url = text.replacing("+", with: "-").replacing("/", with: "_").replacing("=", with: "")
            #expect(String(decoding: Base64.encode(bytes, .url), as: UTF8.self) == url)
        }
    }

    @Test(arguments: ["A", "AAAAA", "AB", "AAB", "A===", "AA==", "AA=", "AA A", "AA\n", "A+AA", "A/AA", "AA.A", "AAé"])
    func `one input has one spelling in the URL alphabet`(text: String) {
        #expect(Base64.decode(text.utf8, .url) == nil)
    }

    @Test(arguments: ["A", "AA", "AAA", "AB==", "AAB=", "A===", "====", "AA=A", "A-AA", "A_AA", "AAAA\n", "AAAA="])
    func `one input has one spelling in the standard alphabet`(text: String) {
        #expect(Base64.decode(text.utf8, .standard) == nil)
    }

    @Test func `each of the 256 bytes is refused or means one value at each position`() {
        // Long enough for what is decoded in groups of 32, for what is decoded in eights and fours after them.
        for position in 0..<112 {
            for alphabet in [Base64.Alphabet.url, .standard] {
                var decoded: Set<[UInt8]> = []
                for byte in UInt8.min...UInt8.max {
                    var text = [UInt8](repeating: UInt8(ascii: "A"), count: 112)
                    text[position] = byte
                    if let bytes = Base64.decode(text, alphabet), bytes.count == 84 { decoded.insert(bytes) }
                }
                #expect(decoded.count == 64)
            }
        }
    }
}
