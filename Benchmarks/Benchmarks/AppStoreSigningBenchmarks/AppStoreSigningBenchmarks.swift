import AppStoreSigning
import Benchmark
import Crypto
import Dispatch

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

    Benchmark(
        "Verify notification, two threads with one verifier",
        configuration: .init(metrics: [.wallClock, .throughput])
    ) { benchmark in
        let samples = try SignedSamples()
        let verifier = SignedDataVerifier(roots: [samples.root], apps: [samples.app])
        _ = try verifier.verifyNotification(samples.notification).get()
        let count = benchmark.scaledIterations.count / 2
        benchmark.startMeasurement()
        DispatchQueue.concurrentPerform(iterations: 2) { _ in
            for _ in 0..<count {
                blackHole(verifier.verifyNotification(samples.notification))
            }
        }
    }

    Benchmark(
        "Memory of verified notifications",
        configuration: .init(metrics: [.peakMemoryResident])
    ) { benchmark in
        let samples = try SignedSamples()
        let verifier = SignedDataVerifier(roots: [samples.root], apps: [samples.app])
        _ = try verifier.verifyNotification(samples.notification).get()
        benchmark.startMeasurement()
        for _ in benchmark.scaledIterations {
            blackHole(verifier.verifyNotification(samples.notification))
        }
    }

    Benchmark("Trace a notification", configuration: .init(scalingFactor: .one)) { benchmark in
        let samples = try SignedSamples()
        let verifier = SignedDataVerifier(roots: [samples.root], apps: [samples.app])
        benchmark.startMeasurement()
        for _ in benchmark.scaledIterations {
            blackHole(verifier.trace(samples.notification, as: .notification))
        }
    }
}
