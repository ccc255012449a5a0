import Crypto

/// The raw P-256 verification as a reference for figures, because the speed of machines differs and changes.
struct RawSignature: Sendable {
    private static let rounds = 15
    private static let checksPerRound = 200

    private let key: P256.Signing.PublicKey
    private let digest: SHA256Digest
    private let signature: P256.Signing.ECDSASignature

    init() throws {
        let key = P256.Signing.PrivateKey()
        self.key = key.publicKey
        digest = SHA256.hash(data: Array("raw".utf8))
        signature = try key.signature(for: digest)
    }

    /// Nanoseconds of CPU time per verification, the median of the rounds.
    func costNanoseconds() throws -> Double {
        var costs: [Double] = []
        for _ in 0..<Self.rounds {
            costs.append(try ThreadClock.cost(of: { _ in try check() }, count: Self.checksPerRound))
        }
        return Statistics.median(costs)
    }

    /// Verifies once.
    var isValid: Bool { key.isValidSignature(signature, for: digest) }

    /// Verifies once, and fails if the figures would be meaningless.
    func check() throws {
        guard isValid else { throw BenchmarkError.sampleRefused }
    }
}
