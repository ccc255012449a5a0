import Testing

/// Waits for an effect of another task, thread or process, for at most three minutes.
///
/// It is the only function of this target that waits in real time.
func until(_ condition: () async throws -> Bool) async throws {
    let deadline = ContinuousClock.now + .seconds(180)
    while try await !condition() {
        try #require(ContinuousClock.now < deadline, "what the test waits for did not happen in three minutes")
        try await Task.sleep(for: .milliseconds(10))
    }
}
