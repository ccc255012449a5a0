import SubscriptionStorage

/// Commits notifications together.
struct GroupCommit: Sendable {
    /// After this many consecutive retryable failures, the database is considered unavailable.
    private static let retryableFailuresMax = 3

    let intake: FactIntake
    let metrics: IntakeMetrics

    /// Commits a batch as a whole. If one input may have caused a failure, each is committed alone, so only that one
    /// fails.
    func commit(_ batch: [VerifiedInput]) async -> [Result<FactIntake.Outcome, StorageError>] {
        let start = ContinuousClock.now
        do {
            let outcomes = try await intake.take(together: batch)
            metrics.committed(batch.count, in: ContinuousClock.now - start)
            return outcomes.map { .success($0) }
        } catch {
            guard batch.count > 1, error.mayConcernOneWork else { return batch.map { _ in .failure(error) } }
            return await commitOneByOne(batch)
        }
    }

    private func commitOneByOne(_ batch: [VerifiedInput]) async -> [Result<FactIntake.Outcome, StorageError>] {
        var results: [Result<FactIntake.Outcome, StorageError>] = []
        var retryableFailures = 0
        for notification in batch {
            let result = await commit([notification])
            results += result
            guard case .failure(let error)? = result.first, error.isRetryable else {
                retryableFailures = 0
                continue
            }
            retryableFailures += 1
            guard error.mayConcernOneWork, retryableFailures < Self.retryableFailuresMax else {
                // If the database is unavailable or too slow, the others are not tried.
                return results + batch.dropFirst(results.count).map { _ in .failure(error) }
            }
        }
        return results
    }
}
