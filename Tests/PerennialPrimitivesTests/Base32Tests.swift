import PerennialPrimitives
import Testing

@Suite struct `Base32 on bytes` {
    @Test func `encodes the texts of RFC 4648, section 10, without padding`() {
        let expected = ["", "MY", "MZXQ", "MZXW6", "MZXW6YQ", "MZXW6YTB", "MZXW6YTBOI"]
        let texts = (0...6).map { Base32.encode(Array("foobar".utf8.prefix($0))) }
        #expect(texts == expected)
    }
}
