import AppStoreModel
import AppStoreSigning
import Crypto
import PerennialPrimitives
import Testing

/// A signature is 64 bytes, r and s, and nothing else.
@Suite struct `Forms of a signature` {
    @Test func `a signature in DER is refused`() throws {
        let samples = try Samples()
        let jws = try Parts(samples)
        let der = try P256.Signing.ECDSASignature(rawRepresentation: jws.signature).derRepresentation

        #expect(samples.code(jws.with(signature: Array(der))) == .signatureInvalid)
    }

    @Test(arguments: [0, 1, 32, 63, 65, 96])
    func `a signature of another length is refused`(count: Int) throws {
        let samples = try Samples()
        let jws = try Parts(samples)
        let changed = Array((jws.signature + jws.signature).prefix(count))

        #expect(samples.code(jws.with(signature: changed)) == (count == 0 ? .malformedJWS : .signatureInvalid))
    }

    @Test func `zero, the order and larger numbers are refused as r and as s`() throws {
        let samples = try Samples()
        let jws = try Parts(samples)
        let zero = [UInt8](repeating: 0, count: 32)
        let full = [UInt8](repeating: 0xFF, count: 32)
        for bad in [zero, full, P256Order.bytes] {
            #expect(samples.code(jws.with(signature: bad + jws.signature.suffix(32))) == .signatureInvalid)
            #expect(samples.code(jws.with(signature: jws.signature.prefix(32) + bad)) == .signatureInvalid)
            #expect(samples.code(jws.with(signature: bad + bad)) == .signatureInvalid)
        }
    }

    @Test func `the other form of the same signature is valid, because ES256 has no rule against it`() throws {
        let samples = try Samples()
        let jws = try Parts(samples)
        let malleated = jws.signature.prefix(32) + P256Order.subtracting(Array(jws.signature.suffix(32)))
        let changed = jws.with(signature: Array(malleated))

        #expect(changed != jws.text)
        #expect(samples.verifier.verifyTransaction(changed) == .verified(samples.transaction()))
    }

    @Test func `swapped halves and a signature over another payload are refused`() throws {
        let samples = try Samples()
        let jws = try Parts(samples)
        let other = try Parts(samples, samples.transaction(signedDate: Samples.signedDate + 1))

        #expect(
            samples.code(jws.with(signature: jws.signature.suffix(32) + jws.signature.prefix(32))) == .signatureInvalid
        )
        #expect(samples.code(jws.with(signature: other.signature)) == .signatureInvalid)
    }

    @Test func `a key in the header is never used`() throws {
        let samples = try Samples()
        let attacker = P256.Signing.PrivateKey()
        let point = Array(attacker.publicKey.rawRepresentation)
        let (x, y) = (Self.text(Array(point.prefix(32))), Self.text(Array(point.suffix(32))))
        let jwk = "{\"kty\":\"EC\",\"crv\":\"P-256\",\"x\":\"\(x)\",\"y\":\"\(y)\"}"
        let header = "{\"alg\":\"ES256\",\"kid\":\"mine\",\"jwk\":\(jwk),\"x5c\":\(samples.x5c)}"
        let forged = try JWSSigner(headerJSON: header, key: attacker).sign(payload: samples.transaction().jsonBytes)

        #expect(samples.code(forged) == .signatureInvalid)
        #expect(samples.code(try samples.transaction(headerJSON: header)) == nil)
    }

    private static func text(_ bytes: [UInt8]) -> String {
        String(decoding: Base64.encode(bytes, .url), as: UTF8.self)
    }
}

/// The parts of a valid transaction.
private struct Parts {
    let text: String
    let signature: [UInt8]
    private let signed: Substring

    init(_ samples: Samples, _ payload: JWSTransactionDecodedPayload? = nil) throws {
        text = try samples.sign(payload ?? samples.transaction())
        let last = try #require(text.lastIndex(of: "."))
        signed = text[...last]
        signature = try #require(Base64.decode(Array(text[text.index(after: last)...].utf8), .url))
    }

    func with(signature: some Collection<UInt8>) -> String {
        signed + String(decoding: Base64.encode(Array(signature), .url), as: UTF8.self)
    }
}

/// The order of the group of P-256.
private enum P256Order {
    static let bytes: [UInt8] = [
        0xFF, 0xFF, 0xFF, 0xFF, 0x00, 0x00, 0x00, 0x00, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF,
        0xBC, 0xE6, 0xFA, 0xAD, 0xA7, 0x17, 0x9E, 0x84, 0xF3, 0xB9, 0xCA, 0xC2, 0xFC, 0x63, 0x25, 0x51,
    ]

    /// The order minus a smaller number.
    static func subtracting(_ number: [UInt8]) -> [UInt8] {
        var result = [UInt8](repeating: 0, count: 32)
        var borrow = 0
        for index in (0..<32).reversed() {
            let difference = Int(bytes[index]) - Int(number[index]) - borrow
            borrow = difference < 0 ? 1 : 0
            result[index] = UInt8(truncatingIfNeeded: difference)
        }
        return result
    }
}

extension Samples {
    fileprivate func code(_ jws: String) -> VerificationFailure.Code? {
        verifier.verifyTransaction(jws).failure?.code
    }
}
