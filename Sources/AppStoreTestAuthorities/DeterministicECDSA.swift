import Crypto

/// ECDSA with a nonce derived from key and message (RFC 6979), so that equal payloads have equal signatures.
///
/// For tests and local stores only: the time of its arithmetic depends on the key, so it must not be used with valuable
/// keys. Use swift-crypto for signatures that protect something.
enum DeterministicECDSA<Curve: DeterministicCurve> {
    /// Signs a message.
    ///
    /// - Parameters:
    ///   - message: The message.
    ///   - key: The private key, big endian, of the order's length.
    /// - Returns: r and s, big endian, each of the order's length.
    /// - Throws: Errors of the library for a key outside the curve's order.
    /// - Source: RFC 6979, 2.4 and 3.2.
    static func signature(for message: [UInt8], key: [UInt8]) throws -> [UInt8] {
        let field = ScalarField(order: Curve.order)
        let digest = Array(Curve.Digest.hash(data: message))
        let hash = field.reduced(ScalarField.limbs(digest))
        let secret = ScalarField.limbs(key)
        var nonces = NonceSequence<Curve.Digest>(key: key, hash: field.bytes(hash))
        while true {
            let candidate = nonces.next()
            let nonce = ScalarField.limbs(candidate)
            guard field.contains(nonce) else { continue }
            let r = field.reduced(ScalarField.limbs(try Curve.x(ofScalar: candidate)))
            let s = field.product(field.inverse(nonce), field.sum(hash, field.product(r, secret)))
            guard field.contains(r), field.contains(s) else { continue }
            return field.bytes(r) + field.bytes(s)
        }
    }
}

/// A curve whose order is as long as its digest.
protocol DeterministicCurve {
    associatedtype Digest: HashFunction

    /// The order of the base point, least significant limb first.
    static var order: [UInt64] { get }

    /// The x coordinate of a multiple of the base point.
    static func x(ofScalar scalar: [UInt8]) throws -> [UInt8]
}

/// P-256 with SHA-256, as in ES256.
enum DeterministicP256: DeterministicCurve {
    typealias Digest = SHA256

    static let order: [UInt64] = [
        0xf3b9_cac2_fc63_2551, 0xbce6_faad_a717_9e84, 0xffff_ffff_ffff_ffff, 0xffff_ffff_0000_0000,
    ]

    static func x(ofScalar scalar: [UInt8]) throws -> [UInt8] {
        Array(try P256.Signing.PrivateKey(rawRepresentation: scalar).publicKey.rawRepresentation.prefix(32))
    }
}

/// P-384 with SHA-384, as in the certificates.
enum DeterministicP384: DeterministicCurve {
    typealias Digest = SHA384

    static let order: [UInt64] = [
        0xecec_196a_ccc5_2973, 0x581a_0db2_48b0_a77a, 0xc763_4d81_f437_2ddf, 0xffff_ffff_ffff_ffff,
        0xffff_ffff_ffff_ffff, 0xffff_ffff_ffff_ffff,
    ]

    static func x(ofScalar scalar: [UInt8]) throws -> [UInt8] {
        Array(try P384.Signing.PrivateKey(rawRepresentation: scalar).publicKey.rawRepresentation.prefix(48))
    }
}

/// The candidates for a nonce, in order.
///
/// - Source: RFC 6979, 3.2, steps b to h.
private struct NonceSequence<Digest: HashFunction> {
    private var key: SymmetricKey
    private var value: [UInt8]
    private var isFirst = true

    init(key secret: [UInt8], hash: [UInt8]) {
        let length = Digest.Digest.byteCount
        key = SymmetricKey(data: [UInt8](repeating: 0, count: length))
        value = [UInt8](repeating: 1, count: length)
        for separator: UInt8 in [0, 1] {
            key = SymmetricKey(data: code(value + [separator] + secret + hash))
            value = code(value)
        }
    }

    mutating func next() -> [UInt8] {
        if !isFirst {
            key = SymmetricKey(data: code(value + [0]))
            value = code(value)
        }
        isFirst = false
        value = code(value)
        return value
    }

    private func code(_ bytes: [UInt8]) -> [UInt8] {
        Array(HMAC<Digest>.authenticationCode(for: bytes, using: key))
    }
}
