import Crypto
import Foundation
import PerennialPrimitives
import Testing

@testable import AppStoreSigning
@testable import AppStoreTestAuthorities

/// Repeatable signatures, for tests and local stores.
@Suite struct `Signatures that repeat` {
    /// A test vector of RFC 6979: key, message and expected result.
    struct Vector: Sendable, CustomTestStringConvertible {
        let key: String
        let message: String
        let r: String
        let s: String

        var testDescription: String { message }
    }

    @Test(arguments: [
        Vector(
            key: "C9AFA9D845BA75166B5C215767B1D6934E50C3DB36E89B127B8A622B120F6721",
            message: "sample",
            r: "EFD48B2AACB6A8FD1140DD9CD45E81D69D2C877B56AAF991C34D0EA84EAF3716",
            s: "F7CB1C942D657C41D436C7A1B6E29F65F3E900DBB9AFF4064DC4AB2F843ACDA8"
        ),
        Vector(
            key: "C9AFA9D845BA75166B5C215767B1D6934E50C3DB36E89B127B8A622B120F6721",
            message: "test",
            r: "F1ABB023518351CD71D881567B1EA663ED3EFCF6C5132B354F28D3B0B7D38367",
            s: "019F4113742A2B14BD25926B49C649155F267E60D3814B4C0CC84250E46F0083"
        ),
    ])
    func `P-256 signatures match RFC 6979 A.2.5`(vector: Vector) throws {
        let key = try bytes(vector.key)
        let signature = try DeterministicECDSA<DeterministicP256>.signature(for: Array(vector.message.utf8), key: key)
        #expect(try signature == bytes(vector.r + vector.s))
    }

    @Test(arguments: [
        Vector(
            key: "6B9D3DAD2E1B8C1C05B19875B6659F4DE23C3B667BF297BA9AA47740787137D896D5724E4C70A825F872C9EA60D2EDF5",
            message: "sample",
            r: "94EDBB92A5ECB8AAD4736E56C691916B3F88140666CE9FA73D64C4EA95AD133C81A648152E44ACF96E36DD1E80FABE46",
            s: "99EF4AEB15F178CEA1FE40DB2603138F130E740A19624526203B6351D0A3A94FA329C145786E679E7B82C71A38628AC8"
        ),
        Vector(
            key: "6B9D3DAD2E1B8C1C05B19875B6659F4DE23C3B667BF297BA9AA47740787137D896D5724E4C70A825F872C9EA60D2EDF5",
            message: "test",
            r: "8203B63D3C853E8D77227FB377BCF7B7B772E97892A80F36AB775D509D7A5FEB0542A7F0812998DA8F1DD3CA3CF023DB",
            s: "DDD0760448D42D8A43AF45AF836FCE4DE8BE06B485E9B61B827C2F13173923E06A739F040649A667BF3B828246BAA5A5"
        ),
    ])
    func `P-384 signatures match RFC 6979 A.2.6`(vector: Vector) throws {
        let key = try bytes(vector.key)
        let signature = try DeterministicECDSA<DeterministicP384>.signature(for: Array(vector.message.utf8), key: key)
        #expect(try signature == bytes(vector.r + vector.s))
    }

    @Test func `the library accepts the signatures of any message`() throws {
        let key = P256.Signing.PrivateKey()
        for length in 0..<100 {
            let message = [UInt8](repeating: UInt8(length), count: length)
            let raw = try DeterministicECDSA<DeterministicP256>.signature(
                for: message,
                key: Array(key.rawRepresentation)
            )
            let signature = try P256.Signing.ECDSASignature(rawRepresentation: raw)
            #expect(key.publicKey.isValidSignature(signature, for: message))
        }
    }

    @Test func `equal seeds give equal authorities, different seeds different ones`() throws {
        let (first, second) = (try TestAuthority(seed: 7), try TestAuthority(seed: 7))
        let other = try TestAuthority(seed: 8)
        #expect(first.certificatesPEM == second.certificatesPEM)
        #expect(first.keys.leafPEM == second.keys.leafPEM)
        #expect(first.rootCertificateDER != other.rootCertificateDER)
        let payload = Array("{}".utf8)
        let signed = try [first, second].map { try $0.deterministicSigner.sign(payload: payload) }
        #expect(signed[0] == signed[1])
        #expect(try first.signer.sign(payload: payload) != first.signer.sign(payload: payload))
    }

    @Test func `a restored authority keeps its identity`() throws {
        let made = try TestAuthority()
        let kept = try TestAuthority(keys: made.keys, certificatesPEM: made.certificatesPEM)
        #expect(kept.rootCertificateDER == made.rootCertificateDER)
        #expect(kept.rootCertificatePEM == made.rootCertificatePEM)
        #expect(kept.certificatesPEM == made.certificatesPEM)
    }

    @Test func `certificates of other keys are refused`() throws {
        let (made, other) = (try TestAuthority(), try TestAuthority())
        for certificates in [other.certificatesPEM, [], Array(made.certificatesPEM.reversed()), ["", "", ""]] {
            #expect {
                _ = try TestAuthority(keys: made.keys, certificatesPEM: certificates)
            } throws: {
                ($0 as? SigningError)?.code == .certificateMalformed
            }
        }
    }

    private func bytes(_ hexadecimal: String) throws -> [UInt8] {
        try #require([UInt8](hexadecimal: hexadecimal.lowercased()))
    }
}
