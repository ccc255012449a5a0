import AppStoreSigning
import AppStoreTestAuthorities
import Crypto

/// Measures the cost of signing on one thread, without a store.
struct SigningBenchmark {
    private static let rounds = 15
    private static let notificationsPerRound = 200

    private let signer: JWSSigner

    init(_ authority: TestAuthority) {
        signer = authority.signer
    }

    /// Measures raw signatures and the signer's signatures in alternating rounds, and returns the medians.
    func run() throws -> StoreBenchReport.Signing {
        let key = P256.Signing.PrivateKey()
        let digest = SHA256.hash(data: [UInt8](repeating: 1, count: 200))
        // The sizes of the parts of a notification: a transaction, the renewal information, and the envelope.
        let payloads = [800, 500, 12_000].map { [UInt8](repeating: UInt8(ascii: "a"), count: $0) }
        let clock = ContinuousClock()
        var bare: [Double] = []
        var signed: [Double] = []
        for _ in 0..<Self.rounds {
            let start = clock.now
            for _ in 0..<3 * Self.notificationsPerRound { _ = try key.signature(for: digest) }
            let middle = clock.now
            for _ in 0..<Self.notificationsPerRound {
                for payload in payloads { _ = try signer.sign(payload: payload) }
            }
            bare.append((middle - start).inSeconds)
            signed.append((clock.now - middle).inSeconds)
        }
        let count = Double(Self.notificationsPerRound)
        return StoreBenchReport.Signing(
            barePerSecond: 3 * count / Statistics.median(bare),
            signedPerSecond: count / Statistics.median(signed)
        )
    }
}
