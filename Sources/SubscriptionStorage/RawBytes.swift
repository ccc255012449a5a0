#if canImport(Darwin)
    import Darwin
#elseif canImport(Musl)
    import Musl
#else
    import Glibc
#endif

// Signed inputs have kilobytes that are searched and compared. The C library does that for many bytes at a time.
extension UnsafeRawBufferPointer {
    /// The offset of the next occurrence of a byte at or after `start`.
    package func offset(of byte: UInt8, from start: Int = 0) -> Int? {
        guard let base = baseAddress, start < count else { return nil }
        return memchr(base + start, Int32(byte), count - start).map { UnsafeRawPointer($0) - base }
    }

    /// Whether the bytes of `part` are at an offset.
    func hasBytes(_ part: UnsafeRawBufferPointer, at start: Int) -> Bool {
        guard let base = baseAddress, let other = part.baseAddress else { return false }
        return count - start >= part.count && memcmp(base + start, other, part.count) == 0
    }
}

extension [UInt8] {
    /// Whether both have the same bytes.
    func hasSameBytes(as other: ArraySlice<UInt8>) -> Bool {
        guard count == other.count else { return false }
        return isEmpty || withUnsafeBytes { mine in other.withUnsafeBytes { mine.hasBytes($0, at: 0) } }
    }
}
