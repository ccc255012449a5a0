import AppStoreSigning
import Crypto

/// Measures the verification of signed data beside the raw signature check that it cannot do without.
struct VerificationBenchmark {
    /// How many notifications are verified at once, where several are: fewer than a page of Apple's history.
    private static let batchSize = 16

    private let samples: SignedSamples
    private let raw: RawSignature

    /// Signs the samples.
    init() throws {
        // Few enough to stay in the processor's cache, as bytes that have just been received are.
        samples = try SignedSamples(count: Self.batchSize)
        raw = try RawSignature()
    }

    /// Measures in alternating rounds and reports the medians.
    ///
    /// - Parameters:
    ///   - rounds: How many rounds the medians are of.
    ///   - memoryVerifications: During how many verifications memory is watched.
    /// - Throws: `VerificationFailure` when a sample is refused, which would make the figures worthless.
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
            // Reading the digest keeps the work from being optimised away.
            guard SHA256.hash(data: bytes) != other else { throw BenchmarkError.sampleRefused }
        }
        let verifyBatch = { (index: Int) in
            // As many as the other measurements do one after the other, so that each counts the same.
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
        // Round by round: a machine that others share changes its speed from one second to the next.
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

    /// What two threads get done with one verifier beside one thread, and the same for raw checks, which share nothing.
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

    /// How much memory many verifications take that the first thousand did not.
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

/// Why a measurement means nothing.
enum BenchmarkError: Error {
    /// A good sample was refused.
    case sampleRefused
    /// A measured server did not come up.
    case noServer
    /// A call to a measured server was answered with this status.
    case callRefused(Int)
    /// The system does not tell what another process uses.
    case noUsage
    /// The program that was to fill the database ended with this status.
    case fillFailed(Int32)
}
