package import CoreMetrics
package import SubscriptionStorage

/// An engine with metrics: durations of transactions and counts of failures by code.
package struct MeasuredDatabase: SubscriptionDatabase {
    private let base: any SubscriptionDatabase
    private let factory: any MetricsFactory
    private let reads: CoreMetrics.Timer
    private let writes: CoreMetrics.Timer

    /// Measures an engine.
    package init(_ base: any SubscriptionDatabase, factory: any MetricsFactory) {
        self.base = base
        self.factory = factory
        func timer(_ access: String) -> CoreMetrics.Timer {
            CoreMetrics.Timer(
                label: "perennial_storage_duration_seconds",
                dimensions: [("access", access)],
                factory: factory
            )
        }
        reads = timer("read")
        writes = timer("write")
    }

    /// The engine's counts of commits.
    package var commits: CustomerCommits? { base.commits }

    /// Times a read.
    package func read<Result: Sendable>(
        _ body: @escaping @Sendable (any StorageReading) throws(StorageError) -> Result
    ) async throws(StorageError) -> Result {
        let start = ContinuousClock.now
        defer { reads.record(since: start) }
        do throws(StorageError) {
            return try await base.read(body)
        } catch {
            count(error)
            throw error
        }
    }

    /// Times a write, including its waiting time.
    package func write<Result: Sendable>(
        _ body: @escaping @Sendable (any StorageWriting) throws(StorageError) -> Result
    ) async throws(StorageError) -> Result {
        let start = ContinuousClock.now
        defer { writes.record(since: start) }
        do throws(StorageError) {
            return try await base.write(body)
        } catch {
            count(error)
            throw error
        }
    }

    /// Closes the engine.
    package func close() async throws(StorageError) { try await base.close() }

    private func count(_ error: StorageError) {
        let labels = [("code", error.code.rawValue)]
        Counter(label: "perennial_storage_errors_total", dimensions: labels, factory: factory).increment(by: 1)
    }
}

extension CoreMetrics.Timer {
    fileprivate func record(since start: ContinuousClock.Instant) {
        recordNanoseconds(Int64((ContinuousClock.now - start) / .nanoseconds(1)))
    }
}
