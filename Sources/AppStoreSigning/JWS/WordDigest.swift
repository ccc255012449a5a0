import Crypto

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// A SHA-256 digest that was not computed by the cryptographic library, in the form of its signature check.
struct WordDigest: Digest {
    static let byteCount = 32

    private let bytes: [UInt8]

    /// - Parameter words: The eight words of the final state.
    init(words: [UInt32]) {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(Self.byteCount)
        for word in words {
            for shift in stride(from: 24, through: 0, by: -8) { bytes.append(UInt8(truncatingIfNeeded: word >> shift)) }
        }
        self.bytes = bytes
    }

    var description: String { "SHA-256 digest" }

    func withUnsafeBytes<Result>(_ body: (UnsafeRawBufferPointer) throws -> Result) rethrows -> Result {
        try bytes.withUnsafeBytes(body)
    }
}
