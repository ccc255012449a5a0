import SubscriptionStorage

/// Work that failed together and is tried one by one, so that only the one that caused the failure fails.
enum OneByOne {
    /// After this many consecutive retryable failures, the database is considered unavailable.
    private static let retryableFailuresMax = 3

    /// Tries each.
    ///
    /// - Returns: The results in the order of the work. If the database is unavailable or too slow, the rest is not
    ///   tried and has the last error.
    static func run<Work, Value>(
        _ all: [Work],
        _ body: (Work) async -> Result<Value, StorageError>
    ) async -> [Result<Value, StorageError>] {
        var results: [Result<Value, StorageError>] = []
        var retryableFailures = 0
        for work in all {
            let result = await body(work)
            results.append(result)
            guard case .failure(let error) = result else {
                retryableFailures = 0
                continue
            }
            retryableFailures = error.isRetryable ? retryableFailures + 1 : 0
            guard error.mayConcernOneWork, retryableFailures < retryableFailuresMax else {
                return results + all.dropFirst(results.count).map { _ in .failure(error) }
            }
        }
        return results
    }
}
