import AppStoreSigning
import Benchmark
import Crypto

let benchmarks: @Sendable () -> Void = {
    Benchmark.defaultConfiguration = .init(
        metrics: [.cpuUser, .wallClock, .throughput],
        warmupIterations: 10,
        scalingFactor: .kilo,
        maxDuration: .seconds(5)
    )

    Benchmark("Raw P-256 verification") { benchmark in
        let key = P256.Signing.PrivateKey()
        let digest = SHA256.hash(data: Array("raw".utf8))
        let signature = try key.signature(for: digest)
        benchmark.startMeasurement()
        for _ in benchmark.scaledIterations {
            blackHole(key.publicKey.isValidSignature(signature, for: digest))
        }
    }

    Benchmark("Verify transaction") { benchmark in
        let samples = try SignedSamples()
        let verifier = SignedDataVerifier(roots: [samples.root], apps: [samples.app])
        _ = try verifier.verifyTransaction(samples.transaction).get()
        benchmark.startMeasurement()
        for _ in benchmark.scaledIterations {
            blackHole(verifier.verifyTransaction(samples.transaction))
        }
    }

    Benchmark("Verify notification") { benchmark in
        let samples = try SignedSamples()
        let verifier = SignedDataVerifier(roots: [samples.root], apps: [samples.app])
        _ = try verifier.verifyNotification(samples.notification).get()
        benchmark.startMeasurement()
        for _ in benchmark.scaledIterations {
            blackHole(verifier.verifyNotification(samples.notification))
        }
    }

    Benchmark("Verify transaction, chain not cached", configuration: .init(scalingFactor: .one)) { benchmark in
        let samples = try SignedSamples()
        benchmark.startMeasurement()
        for _ in benchmark.scaledIterations {
            let verifier = SignedDataVerifier(roots: [samples.root], apps: [samples.app])
            blackHole(verifier.verifyTransaction(samples.transaction))
        }
    }
}
