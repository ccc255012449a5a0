extension String {
    /// Whether both have the same bytes: two spellings of one visible text have not.
    ///
    /// Identifiers are compared dozens of times for each input, eight bytes at a time.
    func hasSameBytes(as other: String) -> Bool {
        let same = utf8.withContiguousStorageIfAvailable { mine in
            other.utf8.withContiguousStorageIfAvailable { theirs in
                UnsafeRawBufferPointer(mine).hasSameBytes(as: UnsafeRawBufferPointer(theirs))
            }
        }
        // Texts that are not one piece of memory are those of other languages.
        return (same ?? nil) ?? utf8.elementsEqual(other.utf8)
    }
}

extension String {
    /// Whether this is a UUID: 8, 4, 4, 4 and 12 hexadecimal digits of either case, with hyphens between them.
    ///
    /// - Source: RFC 9562, section 4.
    var isUUID: Bool {
        guard utf8.count == 36 else { return false }
        return utf8.enumerated().allSatisfy { place, byte in
            switch place {
            case 8, 13, 18, 23: byte == UInt8(ascii: "-")
            default: byte.isHexadecimalDigit
            }
        }
    }
}

extension UInt8 {
    fileprivate var isHexadecimalDigit: Bool {
        switch self {
        case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "a")...UInt8(ascii: "f"),
            UInt8(ascii: "A")...UInt8(ascii: "F"):
            true
        default: false
        }
    }
}

extension UnsafeRawBufferPointer {
    fileprivate func hasSameBytes(as other: UnsafeRawBufferPointer) -> Bool {
        guard count == other.count else { return false }
        let wordBytes = MemoryLayout<UInt64>.size
        var place = 0
        while place + wordBytes <= count {
            let mine = loadUnaligned(fromByteOffset: place, as: UInt64.self)
            guard mine == other.loadUnaligned(fromByteOffset: place, as: UInt64.self) else { return false }
            place += wordBytes
        }
        while place < count {
            guard self[place] == other[place] else { return false }
            place += 1
        }
        return true
    }
}
