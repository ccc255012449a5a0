/// The bytes of a signed input in two parts that put together are the input again, whatever it is.
///
/// The header of a JWS is mostly its certificates, and the same in almost every input: engines keep it once.
package struct SplitJWS {
    /// The part before the first dot; nil where there is no dot.
    package let header: ArraySlice<UInt8>?
    /// The rest, with the dot.
    package let remainder: ArraySlice<UInt8>

    /// Splits an input.
    package init(_ bytes: [UInt8]) {
        let dot = UInt8(ascii: ".")
        if let end = bytes.firstIndex(of: dot) {
            header = bytes[..<end]
            remainder = bytes[end...]
        } else {
            header = nil
            remainder = bytes[...]
        }
    }

    /// A number to find a header by; equal numbers do not mean equal bytes, which are compared as well.
    package static func checksum(_ bytes: ArraySlice<UInt8>) -> Int64 {
        var checksum = Checksum()
        checksum.add(bytes)
        return checksum.value
    }
}

/// A 64-bit number for bytes, the same in every process.
///
/// - Source: Fowler, Noll and Vo, FNV-1a, 64 bits.
package struct Checksum {
    private var state: UInt64 = 0xcbf2_9ce4_8422_2325

    /// Starts with no bytes.
    package init() {}

    /// The number for the bytes so far.
    package var value: Int64 { Int64(bitPattern: state) }

    /// Takes bytes in.
    package mutating func add(_ bytes: some Sequence<UInt8>) {
        for byte in bytes { state = (state ^ UInt64(byte)) &* 0x0000_0100_0000_01b3 }
    }
}
