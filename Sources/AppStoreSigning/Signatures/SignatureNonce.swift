import PerennialPrimitives

/// The one-time UUID of a signature, always in lower case.
///
/// StoreKit sends a nonce as a UUID, whose letters have no case; what is signed is its lower-case text. Signing it in
/// upper case is a common reason why a promotional offer is refused, so there is no upper case here.
///
/// - Source: StoreKit, Generating a signature for promotional offers, `nonce`.
public struct SignatureNonce: Hashable, Sendable {
    /// The UUID in lower case, with hyphens.
    public let text: String

    /// Reads a UUID in either case.
    ///
    /// - Throws: `nonce_malformed` when the text is no UUID.
    public init(_ text: String) throws(SigningError) {
        guard text.isUUID else {
            throw SigningError(
                code: .nonceMalformed,
                message: "A nonce is a UUID, such as 3beb0bb9-7d3e-4f0c-9d1f-7f6a4a0b6f3e; make a new one each time."
            )
        }
        self.text = text.lowercased()
    }

    /// Makes a new nonce: a random UUID (version 4).
    public static func random() -> SignatureNonce {
        var generator = SystemRandomNumberGenerator()
        return random(using: &generator)
    }

    /// Makes a new nonce from a source of random numbers, for tests that repeat.
    public static func random(using generator: inout some RandomNumberGenerator) -> SignatureNonce {
        let high = generator.next() & 0xFFFF_FFFF_FFFF_0FFF | 0x4000
        let low = generator.next() & 0x3FFF_FFFF_FFFF_FFFF | 0x8000_0000_0000_0000
        return SignatureNonce(known: String(uuid: high, low))
    }

    private init(known text: String) {
        self.text = text
    }
}

extension SignatureNonce: CustomStringConvertible {
    /// The UUID in lower case.
    public var description: String { text }
}
