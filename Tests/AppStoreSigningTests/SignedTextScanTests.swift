import AppStoreModel
import Foundation
import Testing

/// Signed data is mostly long strings, which are scanned many bytes at a time: every position must be scanned in the
/// same way.
@Suite struct `The scan of signed texts` {
    @Test(arguments: ["\\n", "\\\"", "\\\\", "\\u00e9", "é", "漢", "𝄞", "\u{7F}", "\\uD834\\uDD1E"])
    func `special characters are handled at every position`(special: String) throws {
        for count in 0...70 {
            let text = String(repeating: "a", count: count) + special + String(repeating: "b", count: 70 - count)
            for filler in ["", "é"] {
                let json = Array("[\"\(text)\(filler)\",\"\(text)\"]".utf8)
                let expected = try JSONDecoder().decode([String].self, from: Data(json))
                #expect(try JSONParser.parse(json) == .array(expected.map { .string($0) }))
            }
        }
    }

    @Test(arguments: [UInt8(0x00), 0x0A, 0x1F, 0x80, 0xC0, 0xFF])
    func `a byte that is invalid in a string is refused at every position`(byte: UInt8) {
        for count in 0...70 {
            let json =
                [UInt8(ascii: "\"")] + [UInt8](repeating: 0x61, count: count) + [byte]
                + [UInt8](repeating: 0x62, count: 70 - count) + [UInt8(ascii: "\"")]
            #expect(throws: JSONError.self) { try JSONParser.parse(json) }
        }
    }

    @Test func `an unterminated string is refused at every length`() {
        for count in 0...70 {
            let json = [UInt8(ascii: "\"")] + [UInt8](repeating: 0x61, count: count)
            #expect(throws: JSONError(.unexpectedEnd, byteOffset: 0)) { try JSONParser.parse(json) }
        }
    }

    @Test(arguments: [2, 10, 39, 40, 41, 80])
    func `a duplicate key is refused among any number of members`(count: Int) {
        for repeated in [0, count / 2, count - 1] {
            let keys = (0..<count).map { "key\($0)" } + ["key\(repeated)"]
            let json = "{" + keys.map { "\"\($0)\":1" }.joined(separator: ",") + "}"
            #expect(throws: JSONError(.duplicateKey, byteOffset: 0)) { try JSONParser.parse(Array(json.utf8)) }
            let good = "{" + keys.dropLast().map { "\"\($0)\":1" }.joined(separator: ",") + "}"
            #expect(throws: Never.self) { try JSONParser.parseObject(Array(good.utf8)) }
        }
    }
}
