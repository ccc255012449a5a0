public import AppStoreModel

extension LocalAppStore {
    /// Whether the developer has access to realtime Retention Messaging; without it, its calls answer 404.
    public var hasRetentionMessagingAccess: Bool { settings.retentionMessagingAccess }

    /// Sets the URL of realtime requests.
    ///
    /// - Source: Retention Messaging API, Configure Realtime URL.
    /// - Throws: One of `AppStoreServerCall.configureRealtimeURL.errors`: 4030026 in production before a successful
    ///   performance test in the sandbox.
    public mutating func configureRealtimeURL(request: RealtimeUrlRequest) throws(AppStoreServerAPIError) {
        let url = request.realtimeURL
        guard url.unicodeScalars.count <= RetentionMessagingLimits.realtimeURLCharactersMax,
            let parsed = OutgoingURL(url), parsed.isEncrypted || mayGetPlainHTTP(parsed)
        else { throw .badRequestRealtimeUrl }
        guard configuration.environment != .production || retention.hasPassedPerformanceTest else {
            throw .forbiddenNoPassingTest
        }
        retention.realtimeURL = url
    }

    /// The URL of realtime requests.
    ///
    /// - Source: Retention Messaging API, Get Realtime URL.
    /// - Throws: One of `AppStoreServerCall.getRealtimeURL.errors`.
    public func realtimeURL() throws(AppStoreServerAPIError) -> RealtimeUrlResponse {
        guard let url = retention.realtimeURL else { throw .realtimeUrlNotFound }
        return RealtimeUrlResponse(realtimeURL: url)
    }

    /// Removes the URL of realtime requests.
    ///
    /// - Source: Retention Messaging API, Delete Realtime URL.
    /// - Throws: One of `AppStoreServerCall.deleteRealtimeURL.errors`.
    public mutating func deleteRealtimeURL() throws(AppStoreServerAPIError) {
        guard retention.realtimeURL != nil else { throw .realtimeUrlNotFound }
        retention.realtimeURL = nil
    }
}

extension RealtimeUrlRequest {
    /// Reads the body of Configure Realtime URL.
    ///
    /// - Throws: Apple's error for the invalid field.
    public init(appleBody json: JSONObject) throws(AppStoreServerAPIError) {
        try self.init(appleBody: json, orThrow: { _ in .badRequestRealtimeUrl })
    }
}

extension LocalAppStore {
    /// Whether unencrypted realtime requests to the URL are allowed: in production only to this machine.
    private func mayGetPlainHTTP(_ url: OutgoingURL) -> Bool {
        configuration.environment == .production ? url.isLoopback : url.isNear
    }
}
