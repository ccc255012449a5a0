import LocalAppStore

/// Asks the developer's server once which message to show.
protocol RealtimeCaller: Sendable {
    /// Posts a realtime request and returns the result, at the latest at its deadline.
    ///
    /// - Throws: `CancellationError` if the store stops.
    func answer(to call: RealtimeCall) async throws(CancellationError) -> RealtimeAnswer
}
