import SubscriptionStorage

extension CampaignRunner {
    /// Makes calls and stores their answers, although the server is stopped meanwhile: each lost answer is a member in
    /// doubt.
    ///
    /// A cancellation ends the calls after ``stopPatience``. It does not end the storing.
    func evenIfStopped<Answers: Sendable, Value: Sendable>(
        _ makeCalls: @escaping @Sendable () async -> Answers,
        store: @escaping @Sendable (Answers) async throws(StorageError) -> Value
    ) async throws(StorageError) -> Value {
        // Tasks of their own, because a cancellation reaches every child task at once, and a cancelled task writes
        // nothing. They end by themselves: each call has a deadline.
        let calls = Task { await makeCalls() }
        let storing = Task { () async -> Result<Value, StorageError> in
            let answers = await calls.value
            do throws(StorageError) {
                return .success(try await store(answers))
            } catch {
                return .failure(error)
            }
        }
        let result = await withTaskCancellationHandler {
            await storing.value
        } onCancel: { [stopPatience] in
            // A task of its own, because this handler must not wait. It ends with its sleep.
            Task {
                // A sleep fails only in a cancelled task, which this one is not.
                try? await Task.sleep(for: stopPatience)
                calls.cancel()
            }
        }
        return try result.get()
    }
}
