extension String {
    /// Whether both have the same bytes, unlike `==`, which compares canonically equivalent text as equal.
    ///
    /// Each input compares identifiers dozens of times, so this compares eight bytes at a time.
    func hasSameBytes(as other: String) -> Bool {
        let same = utf8.withContiguousStorageIfAvailable { mine in
            other.utf8.withContiguousStorageIfAvailable { theirs in
                UnsafeRawBufferPointer(mine).hasSameBytes(as: UnsafeRawBufferPointer(theirs))
            }
        }
        // Only bridged strings are not contiguous in memory.
        return (same ?? nil) ?? utf8.elementsEqual(other.utf8)
    }
}

extension UnsafeRawBufferPointer {
    fileprivate func hasSameBytes(as other: UnsafeRawBufferPointer) -> Bool {
        guard count == other.count else { return false }
        let wordBytes = MemoryLayout<UInt64>.size
        var offset = 0
        while offset + wordBytes <= count {
            let mine = loadUnaligned(fromByteOffset: offset, as: UInt64.self)
            guard mine == other.loadUnaligned(fromByteOffset: offset, as: UInt64.self) else { return false }
            offset += wordBytes
        }
        while offset < count {
            guard self[offset] == other[offset] else { return false }
            offset += 1
        }
        return true
    }
}
