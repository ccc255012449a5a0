import AppStoreSigning
import AppStoreTestAuthorities
import Testing

@Suite struct `The cache of verified chains` {
    @Test func `one chain is verified once for many payloads`() throws {
        let samples = try Samples()
        let cache = VerifiedChainCache()
        let verifier = samples.verifier(cache)

        for number in 0..<20 {
            let payload = samples.transaction(signedDate: Samples.signedDate + Int64(number))
            #expect(verifier.verifyTransaction(try samples.sign(payload)).failure == nil)
        }

        #expect(cache.statistics == .init(hits: 19, misses: 1, count: 1))
    }

    @Test func `a cached chain is still checked against each payload's date`() throws {
        let samples = try Samples()
        let cache = VerifiedChainCache()
        let verifier = samples.verifier(cache)
        let tooLate: Int64 = 4_102_444_800_001

        #expect(verifier.verifyTransaction(try samples.sign(samples.transaction())).failure == nil)
        let failure = verifier.verifyTransaction(try samples.sign(samples.transaction(signedDate: tooLate))).failure

        #expect(failure?.code == .certificateNotValidAtSigning)
        #expect(cache.statistics.hits == 1)
    }

    @Test func `a chain that was verified for other roots is not trusted`() throws {
        let samples = try Samples()
        let cache = VerifiedChainCache()
        let jws = try samples.sign(samples.transaction())
        #expect(samples.verifier(cache).verifyTransaction(jws).failure == nil)

        let appleOnly = SignedDataVerifier(apps: [samples.app], chainCache: cache)

        #expect(appleOnly.verifyTransaction(jws).failure?.code == .chainNotTrusted)
    }

    @Test func `refused chains are not cached`() throws {
        let samples = try Samples()
        let cache = VerifiedChainCache()
        let stranger = try Samples()

        #expect(samples.verifier(cache).verifyTransaction(try stranger.sign(stranger.transaction())).failure != nil)

        #expect(cache.statistics == .init(hits: 0, misses: 1, count: 0))
    }

    @Test func `a valid chain with an invalid signature is not cached`() throws {
        let samples = try Samples()
        let cache = VerifiedChainCache()
        let signed = try samples.sign(samples.transaction())
        let forged = signed.prefix { $0 != "." } + ".e30." + String(repeating: "A", count: 86)

        #expect(samples.verifier(cache).verifyTransaction(String(forged)).failure?.code == .signatureInvalid)
        #expect(cache.statistics.count == 0)
        #expect(samples.verifier(cache).verifyTransaction(signed).failure == nil)
        #expect(cache.statistics.count == 1)
    }

    @Test func `a chain is verified once, whatever the headers and signatures`() throws {
        let samples = try Samples()
        let cache = VerifiedChainCache()
        let forged = String(repeating: "A", count: 86)
        for number in 0..<50 {
            let header = #"{"alg":"ES256","x5c":\#(samples.x5c),"n":\#(number)}"#
            let signed = try samples.transaction(headerJSON: header)
            #expect(samples.verifier(cache).verifyTransaction(signed).failure == nil)
            let other = #"{"n":\#(number),"alg":"ES256","x5c":\#(samples.x5c)}"#
            let unsigned = try samples.transaction(headerJSON: other).split(separator: ".").prefix(2) + [forged[...]]
            let refused = samples.verifier(cache).verifyTransaction(unsigned.joined(separator: "."))
            #expect(refused.failure?.code == .signatureInvalid)
        }
        #expect(cache.verifiedCount == 1)
        // Headers without a valid signature do not evict others.
        #expect(cache.statistics.count == 32)
    }

    @Test func `a chain that is cached by its certificates is trusted for the same roots only`() throws {
        let samples = try Samples()
        let cache = VerifiedChainCache()
        let header = #"{"alg":"ES256","x5c":\#(samples.x5c)}"#
        let jws = try samples.transaction(headerJSON: header)
        #expect(samples.verifier(cache).verifyTransaction(jws).failure == nil)
        let appleOnly = SignedDataVerifier(apps: [samples.app], chainCache: cache)
        #expect(appleOnly.verifyTransaction(jws).failure?.code == .chainNotTrusted)
        #expect(appleOnly.verifyTransaction(jws).failure?.code == .chainNotTrusted)
        #expect(cache.verifiedCount == 1)
    }

    @Test func `the least recently used chain is evicted first`() throws {
        let cache = VerifiedChainCache(capacity: 2)
        let stores = try (0..<3).map { _ in try Samples() }
        let inputs = try stores.map { try $0.sign($0.transaction()) }
        for index in [0, 1, 0, 2, 0] {
            #expect(stores[index].verifier(cache).verifyTransaction(inputs[index]).failure == nil)
        }

        #expect(cache.statistics == .init(hits: 2, misses: 3, count: 2))
        #expect(stores[1].verifier(cache).verifyTransaction(inputs[1]).failure == nil)
        #expect(cache.statistics.misses == 4)
    }

    @Test func `sixty-four tasks at once share one chain`() async throws {
        let samples = try Samples()
        let cache = VerifiedChainCache()
        let verifier = samples.verifier(cache)
        let jws = Array(try samples.sign(samples.transaction()).utf8)
        #expect(verifier.verifyTransaction(jws).failure == nil)

        let verified = await withTaskGroup(of: Int.self) { group in
            for _ in 0..<64 {
                group.addTask {
                    (0..<10).count { _ in verifier.verifyTransaction(jws).failure == nil }
                }
            }
            return await group.reduce(0, +)
        }

        #expect(verified == 640)
        #expect(cache.statistics == .init(hits: 640, misses: 1, count: 1))
    }
}

extension Samples {
    fileprivate func verifier(_ cache: VerifiedChainCache) -> SignedDataVerifier {
        SignedDataVerifier(roots: [authority.trustedRoot], apps: [app], chainCache: cache)
    }
}
