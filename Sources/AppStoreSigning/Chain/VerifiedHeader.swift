import Crypto

/// The cached result for a JWS header whose chain was verified.
///
/// A class, so that a cache hit costs one retain regardless of its size.
final class VerifiedHeader: Sendable {
    /// The chain in the header.
    let chain: VerifiedChain

    /// The SHA-256 state after the header and the dot.
    ///
    /// The signature covers header, dot and payload. The header is most of a transaction's bytes and always the same,
    /// so hashing continues from this state.
    let hash: SHA256

    /// Stores a header as it was sent.
    init(chain: VerifiedChain, header: ArraySlice<UInt8>) {
        var hash = SHA256()
        header.withUnsafeBytes { hash.update(bufferPointer: $0) }
        hash.update(data: [UInt8(ascii: ".")])
        self.chain = chain
        self.hash = hash
    }
}
