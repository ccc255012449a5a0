import AppStoreSigning
import Crypto

/// Measures the verification of signed data relative to the raw signature check that it requires.
struct VerificationBenchmark {
    /// The batch size of notifications: less than a page of Apple's history.
    private static let batchSize = 16

    private let samples: SignedSamples
    private let raw: RawSignature

    /// Signs the samples.
    init() throws {
        // Few enough to stay in the processor's cache, as newly received bytes are.
        samples = try SignedSamples(count: Self.batchSize)
        raw = try RawSignature()
    }

    /// Measures in alternating rounds and reports the medians.
    ///
    /// - Parameters:
    ///   - rounds: The number of rounds of the medians.
    ///   - memoryVerifications: The number of verifications of the memory measurement.
    /// - Throws: `VerificationFailure` if a sample is refused, which would make the figures meaningless.
    func run(rounds: Int, memoryVerifications: Int) throws -> VerificationReport {
        let verifier = SignedDataVerifier(roots: [samples.root], apps: [samples.app])
        let first = try ThreadClock.measure { _ = try verifier.verifyTransaction(samples.transactions[0]).get() }
        let verifyRaw = { (_: Int) in try raw.check() }
        let verifyTransaction = { (index: Int) in
            _ = try verifier.verifyTransaction(samples.transactions[index % samples.transactions.count]).get()
        }
        let verifyNotification = { (index: Int) in
            _ = try verifier.verifyNotification(samples.notifications[index % samples.notifications.count]).get()
        }
        let other = SHA256.hash(data: Array("other".utf8))
        let hashNotification = { (index: Int) in
            let bytes = samples.notifications[index % samples.notifications.count]
            // The digest is read so that the work is not optimised away.
            guard SHA256.hash(data: bytes) != other else { throw BenchmarkError.sampleRefused }
        }
        let verifyBatch = { (index: Int) in
            // As many as the sequential measurements, so that each has the same weight.
            guard index % Self.batchSize == 0 else { return }
            let outcomes = verifier.verifyNotifications(samples.notifications)
            guard outcomes.allSatisfy({ $0.failure == nil }) else { throw BenchmarkError.sampleRefused }
        }
        let works = [verifyRaw, verifyTransaction, verifyNotification, hashNotification, verifyBatch]
        let probed = try ThreadClock.batchCount(of: verifyRaw)
        let batch = (probed + Self.batchSize - 1) / Self.batchSize * Self.batchSize
        var costs = [[Double]](repeating: [], count: works.count)
        for round in 0..<(rounds + 1) {
            for (index, work) in works.enumerated() {
                let cost = try ThreadClock.cost(of: work, count: batch)
                // The first round warms caches and branch predictors.
                if round > 0 { costs[index].append(cost) }
            }
        }
        let scaling = try scaling(of: verifier, rounds: min(rounds, 15), count: 4 * batch)
        let memory = try memory(of: verifier, verifications: memoryVerifications)
        let perSecond = costs.map { 1e9 / Statistics.median($0) }
        let bare = costs[0]
        // The ratios are per round, because the speed of a shared machine changes within seconds.
        let ratios = costs.map { costs in Statistics.median(zip(bare, costs).map { $0 / $1 }) }
        return VerificationReport(
            rawPerSecond: perSecond[0],
            transactionsPerSecond: perSecond[1],
            notificationsPerSecond: perSecond[2],
            batchedNotificationsPerSecond: perSecond[4],
            batchSize: Self.batchSize,
            transactionRatio: ratios[1],
            notificationRatio: ratios[2],
            batchedNotificationRatio: ratios[4],
            hashedBytesPerSecond: perSecond[3] * Double(samples.notifications[0].count),
            transactionBytes: samples.transactions[0].count,
            notificationBytes: samples.notifications[0].count,
            hashedNotificationBytes: samples.hashedNotificationBytes,
            firstTransactionMilliseconds: Double(first) / 1e6,
            scaling: scaling.notifications,
            rawScaling: scaling.raw,
            memory: memory,
            rounds: rounds
        )
    }

    /// The throughput of two threads with one verifier relative to one thread, and the same for raw checks, which share
    /// nothing.
    private func scaling(
        of verifier: SignedDataVerifier,
        rounds: Int,
        count: Int
    ) throws -> (notifications: ParallelBenchmark.Scaling, raw: ParallelBenchmark.Scaling) {
        let notifications = samples.notifications
        let benchmark = ParallelBenchmark(count: count)
        let bare = try benchmark.scaling(of: { [raw] _ in raw.isValid }, rounds: rounds)
        let verified = try benchmark.scaling(
            of: { verifier.verifyNotification(notifications[$0 % notifications.count]).failure == nil },
            rounds: rounds
        )
        return (verified, bare)
    }

    /// The memory that many verifications take beyond the first thousand.
    private func memory(of verifier: SignedDataVerifier, verifications: Int) throws -> VerificationReport.Memory {
        func verify(_ count: Int) throws {
            for index in 0..<count {
                _ = try verifier.verifyNotification(samples.notifications[index % samples.notifications.count]).get()
            }
        }
        try verify(1000)
        let before = PeakMemory.bytes()
        try verify(verifications)
        return VerificationReport.Memory(
            verifications: verifications,
            peakBytesBefore: before,
            peakBytesAfter: PeakMemory.bytes()
        )
    }
}

/// Why a measurement is invalid.
enum BenchmarkError: Error {
    /// A valid sample was refused.
    case sampleRefused
    /// A measured server did not start.
    case noServer
    /// A measured server answered a call with this status.
    case callRefused(Int)
    /// The system does not report the usage of another process.
    case noUsage
    /// The fill program of the database ended with this status.
    case fillFailed(Int32)
    /// A recovery did not finish, or did not recover every missed notification.
    case notRecovered
    /// Ticks of status polling left entries that they should have moved.
    case pollsLeft
    /// A campaign did not extend every subscription, or the store did not announce it: what was found instead.
    case notExtended(String)
    /// The data file of a store did not have the store that was written.
    case storeNotRead
}
