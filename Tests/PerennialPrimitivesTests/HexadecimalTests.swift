import PerennialPrimitives
import Testing

@Suite struct `Hexadecimal digits` {
    @Test func `of all bytes are read again`() {
        let bytes = Array(UInt8.min...UInt8.max)
        let text = bytes.hexadecimal
        #expect(text.hasPrefix("000102") && text.hasSuffix("fdfeff"))
        #expect([UInt8](hexadecimal: text) == bytes)
    }

    @Test(arguments: ["0", "0g", "0G", "AB", "aB", "+1", "é"])
    func `are lower case and in pairs`(text: String) {
        #expect([UInt8](hexadecimal: text) == nil)
    }

    @Test func `stand for their value in either case, alone`() {
        for byte in UInt8.min...UInt8.max {
            let expected = Character(Unicode.Scalar(byte)).hexDigitValue.map(UInt8.init)
            #expect(Hexadecimal.value(byte) == expected)
        }
        for value in UInt8(0)..<16 {
            #expect(Hexadecimal.value(Hexadecimal.digit(value)) == value)
            #expect(Hexadecimal.value(Hexadecimal.upperCaseDigit(value)) == value)
        }
    }

    @Test func `of a number are sixteen`() {
        #expect(UInt64(0).hexadecimal == "0000000000000000")
        #expect(UInt64(0x0123_4567_89AB_CDEF).hexadecimal == "0123456789abcdef")
    }

    @Test func `in groups are a UUID`() {
        let text = String(uuid: 0x0123_4567_89AB_4DEF, 0x8123_4567_89AB_CDEF)
        #expect(text == "01234567-89ab-4def-8123-456789abcdef")
        #expect(text.isUUID && text.uppercased().isUUID)
    }

    @Test(arguments: [
        "", "01234567", "0123456789ab4def8123456789abcdef", "01234567-89ab-4def-8123-456789abcdeg",
        "01234567-89ab-4def-8123-456789abcdef0", "01234567_89ab-4def-8123-456789abcdef",
    ])
    func `in other groups are no UUID`(text: String) {
        #expect(!text.isUUID)
    }
}
