import AppStoreModel
import AppStoreSigning
import AppStoreTestAuthorities
import Testing

@Suite struct `Input that is no signed data` {
    @Test func `a JWS that is truncated anywhere is refused`() throws {
        let samples = try Samples()
        let verifier = samples.verifier
        let jws = Array(try samples.sign(samples.transaction()).utf8)

        for count in stride(from: 0, to: jws.count, by: 7) + Array((jws.count - 100)..<jws.count) {
            #expect(verifier.verifyTransaction(Array(jws.prefix(count))).failure != nil, "cut at \(count)")
        }
    }

    @Test func `a changed byte anywhere is refused`() throws {
        let samples = try Samples()
        let verifier = samples.verifier
        let jws = Array(try samples.sign(samples.transaction()).utf8)
        #expect(verifier.verifyTransaction(jws).failure == nil)
        let headerEnd = try #require(jws.firstIndex(of: UInt8(ascii: ".")))

        // Every byte after the header, each in four ways; the header, which costs a chain each time, at every 16th.
        let positions = Array(stride(from: 0, to: headerEnd, by: 16)) + Array(headerEnd..<jws.count)
        for position in positions {
            for mask: UInt8 in position < headerEnd ? [0x01] : [0x01, 0x02, 0x20, 0x80] {
                var changed = jws
                changed[position] ^= mask
                #expect(verifier.verifyTransaction(changed).failure != nil, "byte \(position) ^ \(mask)")
            }
        }
    }

    @Test func `unused bits at the end of a segment are refused`() throws {
        let samples = try Samples()
        let characters = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_".utf8)
        var jws = Array(try samples.sign(samples.transaction()).utf8)
        // 64 bytes of signature are 86 characters; the last one has four unused bits.
        let value = try #require(characters.firstIndex(of: jws[jws.count - 1]))
        jws[jws.count - 1] = characters[value | 1]

        #expect(samples.verifier.verifyTransaction(jws).failure?.code == .signatureInvalid)
    }

    @Test(arguments: ["", ".", "..", "...", "a.b", "a.b.c.d", ".b.c", "a..c", "a.b.", "not a JWS"])
    func `text that is not a JWS is refused as malformed`(text: String) throws {
        #expect(try Samples().verifier.verifyTransaction(text).failure?.code == .malformedJWS)
    }

    @Test func `a fourth segment is refused as malformed, wherever its dot is`() throws {
        let samples = try Samples()
        let jws = try samples.sign(samples.transaction())
        let parts = jws.split(separator: ".")

        for changed in ["\(jws).\(parts[2])", "\(parts[0]).\(parts[1]).\(parts[1]).\(parts[2])", "\(jws)."] {
            #expect(samples.verifier.verifyTransaction(changed).failure?.code == .malformedJWS)
        }
    }

    @Test func `padding, line ends and spaces are refused`() throws {
        let samples = try Samples()
        let jws = try samples.sign(samples.transaction())

        for changed in [jws + "=", jws + "\n", " " + jws, jws.replacing(".", with: "=.")] {
            #expect(samples.verifier.verifyTransaction(changed).failure != nil)
        }
    }

    @Test(arguments: ["none", "HS256", "ES384", "RS256", "es256", ""])
    func `another algorithm is refused`(algorithm: String) throws {
        let samples = try Samples()
        let jws = try samples.transaction(headerJSON: "{\"alg\":\"\(algorithm)\",\"x5c\":\(samples.x5c)}")

        #expect(samples.verifier.verifyTransaction(jws).failure?.code == .algorithmNotSupported)
    }

    @Test func `a header that demands unknown extensions is refused, other unknown members are not`() throws {
        let samples = try Samples()
        let critical = try samples.transaction(
            headerJSON: "{\"alg\":\"ES256\",\"crit\":[\"b64\"],\"x5c\":\(samples.x5c)}"
        )
        let harmless = try samples.transaction(headerJSON: "{\"typ\":\"JWT\",\"alg\":\"ES256\",\"x5c\":\(samples.x5c)}")

        #expect(samples.verifier.verifyTransaction(critical).failure?.code == .algorithmNotSupported)
        #expect(samples.verifier.verifyTransaction(harmless).failure == nil)
    }

    @Test(arguments: [
        "[]", "7", "{\"alg\":7}", "{\"alg\":\"ES256\",\"x5c\":7}", "{\"alg\":\"ES256\",\"x5c\":[7]}", "{",
    ])
    func `a header of another form is refused as malformed`(header: String) throws {
        let samples = try Samples()
        let jws = try samples.transaction(headerJSON: header)

        #expect(samples.verifier.verifyTransaction(jws).failure?.code == .malformedJWS)
    }

    @Test(arguments: ["[]", "7", "\"text\"", "null", "", "{", "{}", "{\"a\":1,\"a\":2}"])
    func `a signed payload that is not the requested object is refused`(json: String) throws {
        let samples = try Samples()
        let jws = try samples.authority.signer.sign(
            payload: Array(json.utf8) + Array(json.isEmpty ? " ".utf8 : "".utf8)
        )

        #expect(samples.verifier.verifyTransaction(jws).failure?.code == .payloadMalformed)
    }

    @Test func `a payload nested ten thousand deep is refused`() throws {
        let samples = try Samples()
        let deep = "{\"a\":" + String(repeating: "[", count: 10_000) + String(repeating: "]", count: 10_000) + "}"
        let jws = try samples.authority.signer.sign(payload: Array(deep.utf8))

        #expect(samples.verifier.verifyNotification(jws).failure?.code == .payloadMalformed)
        #expect(throws: VerificationFailure.self) { try UnverifiedJWS.decode(jws) }
    }

    @Test func `two mebibytes are refused before anything is computed`() throws {
        let samples = try Samples()
        let filler = "{\"a\":\"" + String(repeating: "x", count: 2 << 20) + "\"}"
        let jws = try samples.authority.signer.sign(payload: Array(filler.utf8))
        let cache = VerifiedChainCache()
        let verifier = SignedDataVerifier(
            roots: [samples.authority.trustedRoot],
            apps: [samples.app],
            chainCache: cache
        )

        #expect(verifier.verifyNotification(jws).failure?.code == .payloadTooLarge)
        #expect(cache.statistics.misses == 0)
    }

    @Test func `the limit on size is configuration`() throws {
        let samples = try Samples()
        let jws = Array(try samples.sign(samples.transaction()).utf8)
        func verifier(bytesMax: Int) -> SignedDataVerifier {
            SignedDataVerifier(roots: [samples.authority.trustedRoot], apps: [samples.app], bytesMax: bytesMax)
        }

        #expect(verifier(bytesMax: jws.count).verifyTransaction(jws).failure == nil)
        #expect(verifier(bytesMax: jws.count - 1).verifyTransaction(jws).failure?.code == .payloadTooLarge)
    }
}
