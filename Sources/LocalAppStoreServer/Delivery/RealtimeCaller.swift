import LocalAppStore

/// Asks the developer's server what a customer shall see, once.
protocol RealtimeCaller: Sendable {
    /// Posts a real-time request and says what came of it, at the latest when its deadline is over.
    ///
    /// - Throws: `CancellationError` when the store stops meanwhile.
    func answer(to call: RealtimeCall) async throws(CancellationError) -> RealtimeAnswer
}
