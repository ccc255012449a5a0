import AppStoreModel

/// Sends one notification to the developer's server, once.
protocol NotificationDeliverer: Sendable {
    /// Posts `{"signedPayload": …}` and says how it went in Apple's words.
    ///
    /// - Parameters:
    ///   - signedPayload: The notification.
    ///   - url: The developer's URL, `http` or `https`.
    /// - Throws: `CancellationError` when the store stops meanwhile; nothing is known about the attempt then.
    func deliver(signedPayload: String, to url: String) async throws(CancellationError) -> SendAttemptResult
}
