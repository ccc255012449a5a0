import AppStoreModel
import AppStoreSigning
import AppStoreTestAuthorities
import Foundation
import Testing

@Suite struct `The adversarial vectors` {
    @Test(arguments: AdversarialVector.names)
    func `every published vector gets the expected verdict and reason`(name: String) throws {
        let vector = try AdversarialVector(name: name)
        let refusal = try vector.refusal()

        if vector.isGood {
            #expect(refusal == nil)
        } else {
            let reason = try #require(refusal, "verified, although it must be refused: \(vector.reasons)")
            #expect(vector.reasons.contains(reason), "refused as \(reason) instead of \(vector.reasons)")
        }
    }

    @Test func `at least 150 vectors are published, good ones and bad ones in every area`() throws {
        let areas: Set = [
            "algorithms", "base64", "certificate", "chain", "header", "identity", "payload", "receipt", "signature",
            "validity",
        ]
        #expect(AdversarialVector.names.count >= 150)
        #expect(Set(AdversarialVector.names.compactMap { $0.split(separator: "/").first.map(String.init) }) == areas)
        for area in areas {
            let verdicts = try AdversarialVector.names.filter { $0.hasPrefix(area + "/") }
                .map { try AdversarialVector(name: $0).isGood }
            #expect(verdicts.contains(true), "nothing in \(area) is good: refusing everything would pass")
            #expect(verdicts.contains(false), "nothing in \(area) is bad")
        }
    }

    @Test func `the trace of a vector ends as its verification does`() throws {
        for name in AdversarialVector.names {
            let vector = try AdversarialVector(name: name)
            guard let kind = SignedDataKind(rawValue: vector.kind) else { continue }
            let verifier = SignedDataVerifier(
                roots: try vector.roots.map { try TrustedRoot(pem: $0) },
                expecting: vector.app,
                chainValidity: vector.validity
            )
            let trace = verifier.trace(vector.input, as: kind)
            #expect(trace.failure?.code == verifier.verify(vector.input, as: kind).failure?.code, "\(name)")
        }
    }

    @Test(.enabled(if: Vectors.isConfigured, "\(Vectors.skipReason)"))
    func `Apple's real chain does not help a forger without its key`() throws {
        let chain = try ["store-receipt-signing-production-leaf", "AppleWWDRCA-G6", "AppleRootCA-G3"].map {
            try Vectors.bytes("apple-pki/\($0).der")
        }
        let samples = try Samples(environment: .sandbox)
        let verifier = SignedDataVerifier(expecting: samples.app)
        let payload = samples.transaction()

        let forged = JWSSigner(chain: chain, key: try samples.authority.leafKey)
        #expect(
            verifier.verifyTransaction(try forged.sign(payload: payload.jsonBytes)).failure?.code == .signatureInvalid
        )
        let ownLeaf = [samples.authority.chain.leaf, chain[1], chain[2]]
        let below = JWSSigner(chain: ownLeaf, key: try samples.authority.leafKey)
        #expect(
            verifier.verifyTransaction(try below.sign(payload: payload.jsonBytes)).failure?.code == .chainNotTrusted
        )
    }
}
