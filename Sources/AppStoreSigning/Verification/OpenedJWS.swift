/// A split JWS with the trusted chain in its header.
struct OpenedJWS {
    /// Its segments.
    let parts: CompactJWS
    /// The chain of its header.
    let header: VerifiedHeader
    /// Whether the chain cache does not have the header, and should have it after a valid signature.
    let isNew: Bool
}
