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
