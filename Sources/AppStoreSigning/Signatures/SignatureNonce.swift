import PerennialPrimitives

/// The nonce of a signature, a UUID in lower case.
///
/// StoreKit sends a nonce as a UUID, which is case-insensitive, but the signature covers its lower-case text. An
/// upper-case nonce is a common reason for a refused offer, so this type allows only lower case.
///
/// - Source: StoreKit, Generating a signature for promotional offers, `nonce`.
public struct SignatureNonce: Hashable, Sendable {
    /// The UUID in lower case, with hyphens.
    public let text: String

    /// Parses a UUID in either case.
    ///
    /// - Throws: `nonce_malformed` if the text is not a UUID.
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

    /// Makes a new nonce from a random number generator, for repeatable tests.
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
