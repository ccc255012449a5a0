import Crypto

/// What remains to be known of a JWS header once its chain has been verified.
///
/// A reference, so that finding it in the cache costs one retain whatever it holds.
final class VerifiedHeader: Sendable {
    /// The chain it carries.
    let chain: VerifiedChain

    /// SHA-256 fed with the header and the dot after it.
    ///
    /// The signature covers header, dot and payload. The header is most of a transaction's bytes and always the same,
    /// so hashing goes on from here instead of starting over.
    let hash: SHA256

    /// Remembers a header as it was sent.
    init(chain: VerifiedChain, header: ArraySlice<UInt8>) {
        var hash = SHA256()
        header.withUnsafeBytes { hash.update(bufferPointer: $0) }
        hash.update(data: [UInt8(ascii: ".")])
        self.chain = chain
        self.hash = hash
    }
}
