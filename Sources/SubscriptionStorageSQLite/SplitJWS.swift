/// The bytes of a signed input in two parts that put together are the input again, whatever it is.
struct SplitJWS {
    /// The part before the first dot; nil where there is no dot.
    let header: ArraySlice<UInt8>?
    /// The rest, with the dot.
    let remainder: ArraySlice<UInt8>

    init(_ bytes: [UInt8]) {
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
    ///
    /// - Source: Fowler, Noll and Vo, FNV-1a, 64 bits.
    static func checksum(_ bytes: ArraySlice<UInt8>) -> Int64 {
        let hash = bytes.reduce(0xcbf2_9ce4_8422_2325 as UInt64) { ($0 ^ UInt64($1)) &* 0x0000_0100_0000_01b3 }
        return Int64(bitPattern: hash)
    }
}
