extension JSONReader {
    /// A number: an integer where it fits 64 bits and its text is the usual one, otherwise the text itself.
    mutating func number() throws(JSONError) -> JSONValue {
        let start = offset
        let isNegative = byte == UInt8(ascii: "-")
        if isNegative { offset += 1 }
        guard offset < count else { throw unexpected() }
        let magnitude = try integerPart()
        var isInteger = true
        if offset < count, byte == UInt8(ascii: ".") {
            isInteger = false
            offset += 1
            try digits()
        }
        if offset < count, byte == UInt8(ascii: "e") || byte == UInt8(ascii: "E") {
            isInteger = false
            offset += 1
            if offset < count, byte == UInt8(ascii: "+") || byte == UInt8(ascii: "-") { offset += 1 }
            try digits()
        }
        if isInteger, let magnitude, let value = signed(magnitude, isNegative: isNegative) { return .integer(value) }
        return .decimal(
            String(decoding: UnsafeRawBufferPointer(start: base + start, count: offset - start), as: UTF8.self)
        )
    }

    /// The digits before fraction and exponent; nil when they exceed 64 bits.
    private mutating func integerPart() throws(JSONError) -> UInt64? {
        let start = offset
        var magnitude: UInt64 = 0
        var overflows = false
        while offset < count, case let digit = byte &- UInt8(ascii: "0"), digit <= 9 {
            let (product, productOverflow) = magnitude.multipliedReportingOverflow(by: 10)
            let (sum, sumOverflow) = product.addingReportingOverflow(UInt64(digit))
            overflows = overflows || productOverflow || sumOverflow
            magnitude = sum
            offset += 1
        }
        guard offset > start else { throw invalidNumber(at: offset) }
        let hasLeadingZero = base.load(fromByteOffset: start, as: UInt8.self) == UInt8(ascii: "0")
        guard !hasLeadingZero || offset == start + 1 else { throw invalidNumber(at: start) }
        return overflows ? nil : magnitude
    }

    /// One digit or more.
    private mutating func digits() throws(JSONError) {
        let start = offset
        while offset < count, byte &- UInt8(ascii: "0") <= 9 { offset += 1 }
        guard offset > start else { throw invalidNumber(at: offset) }
    }

    /// The signed value; nil when it exceeds 64 bits, and for `-0`, which no integer can tell from `0`.
    private func signed(_ magnitude: UInt64, isNegative: Bool) -> Int64? {
        guard isNegative else { return Int64(exactly: magnitude) }
        guard magnitude > 0, magnitude <= Int64.min.magnitude else { return nil }
        return Int64(truncatingIfNeeded: 0 &- magnitude)
    }

    private func invalidNumber(at offset: Int) -> JSONError {
        JSONError(offset < count ? .invalidNumber : .unexpectedEnd, byteOffset: offset)
    }
}
