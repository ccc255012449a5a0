#if canImport(Darwin)
    import Darwin
#elseif canImport(Musl)
    import Musl
#else
    import Glibc
#endif

// Signed inputs are kilobytes that are only looked through and compared; the C library does that many bytes at a time.
extension UnsafeRawBufferPointer {
    /// Where a byte is next, at a place or after it.
    package func place(of byte: UInt8, from start: Int = 0) -> Int? {
        guard let base = baseAddress, start < count else { return nil }
        return memchr(base + start, Int32(byte), count - start).map { UnsafeRawPointer($0) - base }
    }

    /// Whether all bytes of a part stand at a place.
    func holds(_ part: UnsafeRawBufferPointer, at start: Int) -> Bool {
        guard let base = baseAddress, let other = part.baseAddress else { return false }
        return count - start >= part.count && memcmp(base + start, other, part.count) == 0
    }
}

extension [UInt8] {
    /// Whether both hold the same bytes.
    func hasSameBytes(as other: ArraySlice<UInt8>) -> Bool {
        guard count == other.count else { return false }
        return isEmpty || withUnsafeBytes { mine in other.withUnsafeBytes { mine.holds($0, at: 0) } }
    }
}
