public import AppStoreModel

// The calls for the realtime URL of the Retention Messaging API and its test.
extension AppStoreServerAPIClient.App {
    /// Sets or replaces the URL that Apple calls in real time for the message to show.
    ///
    /// - Parameter request: The URL, at most 256 characters.
    /// - Rate limit: 1/s in production, 0.1/s in sandbox.
    /// - Throws: `refused` with one of the `AppStoreServerCall.errors` of the call, or a 404 without error object
    ///   when the team has no access; and what every call throws.
    /// - Source: Retention Messaging API, Configure Realtime URL.
    @discardableResult
    public func configureRealtimeURL(
        _ request: RealtimeUrlRequest
    ) async throws(AppStoreClientError) -> AppStoreAnswer<NoContent> {
        try await send(.configureRealtimeURL, body: request)
    }

    /// Gets the URL that Apple calls in real time.
    ///
    /// - Rate limit: 1/s in production, 0.1/s in sandbox.
    /// - Throws: `refused` with one of the `AppStoreServerCall.errors` of the call, or a 404 without error object
    ///   when the team has no access; and what every call throws.
    /// - Source: Retention Messaging API, Get Realtime URL.
    public func getRealtimeURL() async throws(AppStoreClientError) -> AppStoreAnswer<RealtimeUrlResponse> {
        try await call(.getRealtimeURL)
    }

    /// Removes the URL; default messages are shown then.
    ///
    /// - Rate limit: 1/s in production, 0.1/s in sandbox.
    /// - Throws: `refused` with a 404 without error object when the team has no access; and what every call throws.
    /// - Source: Retention Messaging API, Delete Realtime URL.
    @discardableResult
    public func deleteRealtimeURL() async throws(AppStoreClientError) -> AppStoreAnswer<NoContent> {
        try await send(.deleteRealtimeURL)
    }

    /// Makes Apple test the response time of the configured URL; sandbox only.
    ///
    /// - Parameter request: A sandbox subscription.
    /// - Rate limit: 0.1/s in sandbox.
    /// - Throws: `call_not_available` for production; `refused` with one of the `AppStoreServerCall.errors` of the
    ///   call, or a 404 without error object when the team has no access; and what every call throws.
    /// - Source: Retention Messaging API, Initiate Performance Test.
    public func initiatePerformanceTest(
        _ request: PerformanceTestRequest
    ) async throws(AppStoreClientError) -> AppStoreAnswer<PerformanceTestResponse> {
        try await call(.initiatePerformanceTest, body: request)
    }

    /// Gets the result of a performance test; sandbox only.
    ///
    /// - Parameter requestId: The identifier from ``initiatePerformanceTest(_:)``.
    /// - Rate limit: 0.1/s in sandbox.
    /// - Throws: `call_not_available` for production; `refused` with one of the `AppStoreServerCall.errors` of the
    ///   call, or a 404 without error object when the team has no access; and what every call throws.
    /// - Source: Retention Messaging API, Get Performance Test Results.
    public func getPerformanceTestResults(
        requestId: String
    ) async throws(AppStoreClientError) -> AppStoreAnswer<PerformanceTestResultResponse> {
        try await call(.getPerformanceTestResults, path: ["requestId": requestId])
    }
}
