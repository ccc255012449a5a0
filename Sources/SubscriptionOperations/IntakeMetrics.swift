import AppStoreSigning
public import CoreMetrics
import Synchronization

/// The metrics of the intake: results of verifications and sizes of commits.
public final class IntakeMetrics: Sendable {
    /// What was signed.
    enum Signed: String {
        case notification, transaction, renewal, receipt
    }

    private struct Ending: Hashable {
        let signed: Signed
        /// `verified`, or the code of the refusal.
        let result: String
    }

    private let factory: any MetricsFactory
    private let endings = Mutex<[Ending: Counter]>([:])
    private let size: Recorder
    private let duration: CoreMetrics.Timer
    /// Counts the refund requests that a notification ends.
    let consumption: ConsumptionMetrics

    /// The name of the number of notifications in a commit.
    public static let commitSize = "perennial_commit_notifications"

    /// Makes the metrics; without a factory nothing is recorded.
    public init(factory: any MetricsFactory = NOOPMetricsHandler.instance) {
        self.factory = factory
        consumption = ConsumptionMetrics(factory: factory)
        size = Recorder(label: Self.commitSize, dimensions: [], aggregate: true, factory: factory)
        duration = CoreMetrics.Timer(label: "perennial_commit_duration_seconds", dimensions: [], factory: factory)
    }

    /// Counts a verification by its result and returns it.
    func counted<Payload>(_ verification: Verification<Payload>, of signed: Signed) -> Verification<Payload> {
        switch verification {
        case .verified: count(Ending(signed: signed, result: "verified"))
        case .refused(let failure): count(Ending(signed: signed, result: failure.code.rawValue))
        }
        return verification
    }

    /// Counts a commit of notifications.
    func committed(_ count: Int, in time: Duration) {
        size.record(Int64(count))
        duration.recordNanoseconds(Int64(time / .nanoseconds(1)))
    }

    private func count(_ ending: Ending) {
        let counter = endings.withLock { endings in
            if let existing = endings[ending] { return existing }
            let new = Counter(
                label: "perennial_verifications_total",
                dimensions: [("kind", ending.signed.rawValue), ("result", ending.result)],
                factory: factory
            )
            endings[ending] = new
            return new
        }
        counter.increment(by: 1)
    }
}
