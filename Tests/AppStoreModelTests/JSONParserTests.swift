import AppStoreModel
import Testing

@Suite struct `The JSON parser` {
    @Test(
        arguments: [
            ("{}", .object([:])),
            (" [ ] ", .array([])),
            ("\t{\"a\" : [1, -2 , true,false,null]}\r\n", ["a": [1, -2, true, false, .null]]),
            (#""""#, .string("")),
            (#""a\"\\\/\b\f\n\r\tz""#, .string("a\"\\/\u{8}\u{C}\n\r\tz")),
            (#""\u0041\u00e9\u20AC\ud83d\ude00\u0000""#, .string("Aé€😀\0")),
            ("\"Grüße, 日本 😀, and plain text around it\"", .string("Grüße, 日本 😀, and plain text around it")),
            ("0", .integer(0)),
            ("9223372036854775807", .integer(.max)),
            ("-9223372036854775808", .integer(.min)),
            ("9223372036854775808", .decimal("9223372036854775808")),
            ("-0", .decimal("-0")),
            ("1697679936049.7297", .decimal("1697679936049.7297")),
            ("1E400", .decimal("1E400")),
            ("0.5e-3", .decimal("0.5e-3")),
        ] as [(String, JSONValue)]
    )
    func `the parser reads what RFC 8259 allows`(text: String, expected: JSONValue) throws {
        #expect(try JSONParser.parse(Array(text.utf8)) == expected)
    }

    @Test(
        arguments: [
            ("", .unexpectedEnd, 0), ("  ", .unexpectedEnd, 2), ("{", .unexpectedEnd, 1), (#"{"a""#, .unexpectedEnd, 4),
            (#"{"a":1,}"#, .unexpectedByte, 7), ("[1,]", .unexpectedByte, 3), ("{a:1}", .unexpectedByte, 1),
            ("tru", .unexpectedEnd, 3), ("trux", .unexpectedByte, 3), ("+1", .unexpectedByte, 0),
            ("'a'", .unexpectedByte, 0),
            ("\u{FEFF}{}", .unexpectedByte, 0), ("{} x", .trailingBytes, 3), ("{}{}", .trailingBytes, 2),
            ("01", .invalidNumber, 0), ("-", .unexpectedEnd, 1), ("-a", .invalidNumber, 1), ("1.", .unexpectedEnd, 2),
            ("1.x", .invalidNumber, 2), ("1e+", .unexpectedEnd, 3), ("NaN", .unexpectedByte, 0),
            (#""\x""#, .invalidEscape, 2), (#""\u12G4""#, .invalidEscape, 5), ("\"a\nb\"", .controlCharacter, 2),
            (#""\ud83d""#, .loneSurrogate, 1), (#""\ud83dx""#, .loneSurrogate, 1), (#""\ude00""#, .loneSurrogate, 1),
            (#""\ud83d\u0041""#, .loneSurrogate, 1), (#""\ud83d\n""#, .loneSurrogate, 1),
            (#"{"a":1,"b":2,"a":3}"#, .duplicateKey, 13), (#"{"a":1,"\u0061":3}"#, .duplicateKey, 7),
            (#"{"o":{"k":1,"k":1}}"#, .duplicateKey, 12),
        ] as [(String, JSONError.Code, Int)]
    )
    func `the parser refuses other text with a code and an offset`(text: String, code: JSONError.Code, offset: Int) {
        let error = #expect(throws: JSONError.self) { try JSONParser.parse(Array(text.utf8)) }
        #expect(error?.code == code)
        #expect(error?.byteOffset == offset)
    }

    @Test(
        arguments: [
            [0x22, 0xFF, 0x22], [0x22, 0xC3, 0x22], [0x22, 0xC0, 0xAF, 0x22], [0x22, 0xED, 0xA0, 0x80, 0x22],
            [0x22, 0xF4, 0x90, 0x80, 0x80, 0x22], [0x22, 0x5C, 0x6E, 0xFF, 0x22],
        ] as [[UInt8]]
    )
    func `the parser refuses a string that is not UTF-8`(bytes: [UInt8]) {
        #expect(throws: JSONError(.invalidUTF8, byteOffset: 1)) { try JSONParser.parse(bytes) }
    }

    @Test func `the parser refuses every proper beginning of a text`() throws {
        let text = #"{"a":[1.5e3,true,null,"é\u00e9\n"],"b":{"c":-12,"d":{}},"e":"plain text beyond eight bytes"}"#
        let bytes = Array(text.utf8)
        for length in 0..<bytes.count {
            let error = #expect(throws: JSONError.self) { try JSONParser.parse(Array(bytes[..<length])) }
            #expect(error == JSONError(.unexpectedEnd, byteOffset: 0), "\(length) bytes")
        }
        #expect(
            try JSONParser.parse(bytes).serialize() == JSONParser.parse(JSONParser.parse(bytes).serialize()).serialize()
        )
    }

    @Test(arguments: ["[", #"{"a":"#])
    func `the parser refuses ten thousand levels without following them`(opening: String) {
        let bytes = Array(String(repeating: opening, count: 10_000).utf8)
        #expect(throws: JSONError(.tooDeep, byteOffset: 0)) { try JSONParser.parse(bytes) }
        let greedy = JSONLimits(depthMax: 1_000_000)
        #expect(throws: JSONError(.tooDeep, byteOffset: 0)) { try JSONParser.parse(bytes, limits: greedy) }
    }

    @Test func `the parser reads sixty-four levels and no more`() throws {
        let nested = { (depth: Int) in
            Array((String(repeating: "[", count: depth) + String(repeating: "]", count: depth)).utf8)
        }
        _ = try JSONParser.parse(nested(64))
        #expect(throws: JSONError(.tooDeep, byteOffset: 64)) { try JSONParser.parse(nested(65)) }
    }

    @Test func `the parser refuses a text beyond its limit before reading it`() throws {
        let bytes = Array((#"{"a":""# + String(repeating: "x", count: 2 << 20) + "\"}").utf8)
        #expect(try JSONParser.parseObject(bytes)["a"]?.stringValue?.utf8.count == 2 << 20)
        let limits = JSONLimits(bytesMax: 1 << 20)
        #expect(throws: JSONError(.tooLarge, byteOffset: 0)) { try JSONParser.parseObject(bytes, limits: limits) }
    }

    @Test(arguments: ["[]", "1", "null", "\"{}\""])
    func `the parser refuses a payload that is no object`(text: String) {
        #expect(throws: JSONError(.notAnObject, byteOffset: 0)) { try JSONParser.parseObject(Array(text.utf8)) }
    }

    @Test func `the parser finds a duplicate among many keys`() throws {
        let members = (0..<5_000).map { "\"key\($0)\":\($0)" }
        let object = try JSONParser.parseObject(Array("{\(members.joined(separator: ","))}".utf8))
        #expect(object.count == 5_000)
        #expect(object["key4999"] == 4_999)
        let twice = "{\(members.joined(separator: ",")),\"key17\":0}"
        #expect(throws: JSONError(.duplicateKey, byteOffset: 0)) { try JSONParser.parseObject(Array(twice.utf8)) }
    }

    @Test func `the parser finds the end of a string wherever it lies within eight bytes`() throws {
        for length in 0..<40 {
            for special in ["", "é", #"\n"#, #"\\"#] {
                let text = String(repeating: "x", count: length) + special
                let value = try JSONParser.parse(Array("[\"\(text)\",\"y\"]".utf8))
                let unescaped = text.replacing("\\n", with: "\n").replacing("\\\\", with: "\\")
                #expect(value == [.string(unescaped), "y"])
            }
        }
    }

    @Test func `the parser reads or refuses a text with any byte changed, and what it reads it writes`() throws {
        let original = Array(EveryField.notification.utf8)
        for index in original.indices {
            for byte: UInt8 in [0x22, 0x5C, 0xFF] {
                var bytes = original
                bytes[index] = byte
                guard let value = try? JSONParser.parse(bytes) else { continue }
                #expect(try JSONParser.parse(value.serialize()) == value, "byte \(byte) at \(index)")
            }
        }
    }

    @Test func `an error describes the problem without quoting the text`() {
        #expect(JSONError(.duplicateKey, byteOffset: 12).description == "duplicate_key at byte 12")
    }
}
