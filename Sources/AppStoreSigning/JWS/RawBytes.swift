#if canImport(Darwin)
    import Darwin
#elseif canImport(Musl)
    import Musl
#else
    import Glibc
#endif

// Signed data is kilobytes of base64 that is only scanned; the C library scans many bytes at a time.
extension UnsafeRawBufferPointer {
    /// The position of the next occurrence of a byte.
    func offset(of byte: UInt8, from start: Int = 0) -> Int? {
        guard let base = baseAddress, start < count else { return nil }
        guard let found = memchr(base + start, Int32(byte), count - start) else { return nil }
        return UnsafeRawPointer(found) - base
    }

    /// Whether both contain the same bytes.
    func hasSameBytes(as other: UnsafeRawBufferPointer) -> Bool {
        guard count == other.count else { return false }
        guard let mine = baseAddress, let theirs = other.baseAddress else { return true }
        return memcmp(mine, theirs, count) == 0
    }
}

extension ArraySlice<UInt8> {
    /// Whether both contain the same bytes.
    func hasSameBytes(as other: ArraySlice<UInt8>) -> Bool {
        withUnsafeBytes { mine in
            other.withUnsafeBytes { mine.hasSameBytes(as: $0) }
        }
    }
}
