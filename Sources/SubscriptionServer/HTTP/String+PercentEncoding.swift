extension String {
    /// Undoes URL percent-encoding; nil where it is broken or not UTF-8.
    func removingURLPercentEncoding() -> String? {
        guard utf8.contains(UInt8(ascii: "%")) else { return self }
        var bytes: [UInt8] = []
        var rest = Substring(self).utf8[...]
        while let byte = rest.popFirst() {
            guard byte == UInt8(ascii: "%") else {
                bytes.append(byte)
                continue
            }
            guard
                let high = rest.popFirst().flatMap(Self.hexadecimalDigit),
                let low = rest.popFirst().flatMap(Self.hexadecimalDigit)
            else { return nil }
            bytes.append(high << 4 | low)
        }
        return String(validating: bytes, as: UTF8.self)
    }

    private static func hexadecimalDigit(_ byte: UInt8) -> UInt8? {
        Character(Unicode.Scalar(byte)).hexDigitValue.map(UInt8.init)
    }
}
