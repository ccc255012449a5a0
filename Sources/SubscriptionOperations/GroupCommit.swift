import SubscriptionStorage

/// Commits notifications together.
struct GroupCommit: Sendable {
    /// After so many failures in a row that a retry may mend, the database is at fault.
    private static let retryableFailuresMax = 3

    let intake: FactIntake
    let metrics: IntakeMetrics

    /// Commits a batch as a whole. Where one of it may be what fails, each is committed alone, so that it is the only
    /// one to fail.
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
                // A database that is away, or too slow, is not asked again for each of the others.
                return results + batch.dropFirst(results.count).map { _ in .failure(error) }
            }
        }
        return results
    }
}
