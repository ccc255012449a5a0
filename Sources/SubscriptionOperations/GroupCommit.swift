import SubscriptionStorage

/// Commits notifications together.
struct GroupCommit: Sendable {
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
            return await OneByOne.run(batch) { notification in
                // A batch of one has one result.
                await commit([notification])[0]
            }
        }
    }
}
