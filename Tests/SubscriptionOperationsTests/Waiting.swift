import Testing

/// Waits for an effect of another task, for at most three minutes.
func until(_ condition: () -> Bool) async throws {
    let deadline = ContinuousClock.now + .seconds(180)
    while !condition() {
        try #require(ContinuousClock.now < deadline, "what the test waits for did not happen in three minutes")
        await Task.yield()
    }
}
