/// Hexadecimal digits, one at a time.
package enum Hexadecimal {
    /// The lower-case digit of the four low bits.
    @inlinable
    package static func digit(_ value: UInt8) -> UInt8 {
        let value = value & 0xF
        return value < 10 ? UInt8(ascii: "0") + value : UInt8(ascii: "a") - 10 + value
    }

    /// The upper-case digit of the four low bits.
    @inlinable
    package static func upperCaseDigit(_ value: UInt8) -> UInt8 {
        let value = value & 0xF
        return value < 10 ? UInt8(ascii: "0") + value : UInt8(ascii: "A") - 10 + value
    }

    /// What a digit of either case stands for; nil for every other character.
    @inlinable
    package static func value(_ digit: UInt8) -> UInt8? {
        switch digit {
        case UInt8(ascii: "0")...UInt8(ascii: "9"): digit - UInt8(ascii: "0")
        case UInt8(ascii: "a")...UInt8(ascii: "f"): digit - UInt8(ascii: "a") + 10
        case UInt8(ascii: "A")...UInt8(ascii: "F"): digit - UInt8(ascii: "A") + 10
        default: nil
        }
    }
}

extension Sequence<UInt8> {
    /// The bytes as lower-case hexadecimal digits.
    package var hexadecimal: String {
        var digits: [UInt8] = []
        digits.reserveCapacity(underestimatedCount * 2)
        for byte in self {
            digits.append(Hexadecimal.digit(byte >> 4))
            digits.append(Hexadecimal.digit(byte))
        }
        return String(decoding: digits, as: UTF8.self)
    }
}

extension UInt64 {
    /// The number as 16 lower-case hexadecimal digits.
    package var hexadecimal: String {
        let digits = (0..<16).map { Hexadecimal.digit(UInt8(truncatingIfNeeded: self >> UInt64(60 - 4 * $0))) }
        return String(decoding: digits, as: UTF8.self)
    }
}

extension [UInt8] {
    /// The bytes of lower-case hexadecimal digits; nil for any other text.
    package init?(hexadecimal text: String) {
        let digits = Array(text.utf8)
        let isLowerCase = !digits.contains { (UInt8(ascii: "A")...UInt8(ascii: "F")).contains($0) }
        guard digits.count.isMultiple(of: 2), isLowerCase else { return nil }
        self = []
        reserveCapacity(digits.count / 2)
        for index in stride(from: 0, to: digits.count, by: 2) {
            guard let high = Hexadecimal.value(digits[index]), let low = Hexadecimal.value(digits[index + 1]) else {
                return nil
            }
            append(high << 4 | low)
        }
    }
}
