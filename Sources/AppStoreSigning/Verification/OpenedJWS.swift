/// A JWS that has been split, with the trusted chain that it names as its signer's.
struct OpenedJWS {
    /// Its segments.
    let parts: CompactJWS
    /// The chain of its header.
    let header: VerifiedHeader
    /// Whether the chain cache does not have the header and should, once it is known to have signed.
    let isNew: Bool
}
