public import AppStoreModel

extension LocalAppStore {
    /// Whether the developer has access to the real-time part of Retention Messaging; without it, its calls answer 404.
    public var hasRetentionMessagingAccess: Bool { settings.retentionMessagingAccess }

    /// Sends real-time requests to a URL from now on.
    ///
    /// - Source: Retention Messaging API, Configure Realtime URL.
    /// - Throws: 4000215; 4030026 in production before a performance test has passed in the sandbox.
    public mutating func configureRealtimeURL(request: RealtimeUrlRequest) throws(AppStoreServerAPIError) {
        let url = request.realtimeURL
        guard url.unicodeScalars.count <= RetentionMessagingLimits.realtimeURLCharactersMax,
            RealtimeURLForm.isAcceptable(url)
        else { throw .badRequestRealtimeUrl }
        guard configuration.environment != .production || retention.hasPassedPerformanceTest else {
            throw .forbiddenNoPassingTest
        }
        retention.realtimeURL = url
    }

    /// Where real-time requests go.
    ///
    /// - Source: Retention Messaging API, Get Realtime URL.
    /// - Throws: 4040021.
    public func realtimeURL() throws(AppStoreServerAPIError) -> RealtimeUrlResponse {
        guard let url = retention.realtimeURL else { throw .realtimeUrlNotFound }
        return RealtimeUrlResponse(realtimeURL: url)
    }

    /// Sends no more real-time requests.
    ///
    /// - Source: Retention Messaging API, Delete Realtime URL.
    /// - Throws: 4040021.
    public mutating func deleteRealtimeURL() throws(AppStoreServerAPIError) {
        guard retention.realtimeURL != nil else { throw .realtimeUrlNotFound }
        retention.realtimeURL = nil
    }
}

extension RealtimeUrlRequest {
    /// Reads the body of Configure Realtime URL.
    ///
    /// - Throws: 4000215.
    public init(appleBody json: JSONObject) throws(AppStoreServerAPIError) {
        try self.init(appleBody: json, orThrow: { _ in .badRequestRealtimeUrl })
    }
}

/// Which URLs real-time requests may go to: HTTPS, and on this machine or its neighbours also HTTP.
private enum RealtimeURLForm {
    static func isAcceptable(_ url: String) -> Bool {
        guard url.utf8.allSatisfy({ (0x21...0x7E).contains($0) }) else { return false }
        let scheme = url.prefix { $0 != ":" }.lowercased()
        let rest = url.dropFirst(scheme.count)
        guard rest.hasPrefix("://") else { return false }
        let authority = rest.dropFirst(3).prefix { !"/?#".contains($0) }
        let host =
            authority.hasPrefix("[") ? authority.prefix { $0 != "]" }.dropFirst() : authority.prefix { $0 != ":" }
        guard !host.isEmpty, !authority.contains("@") else { return false }
        switch scheme {
        case "https": return true
        case "http": return isNear(host.lowercased())
        default: return false
        }
    }

    /// The loopback interface, and names without a dot, which only a local network knows.
    private static func isNear(_ host: String) -> Bool {
        let isIPv4 = host.utf8.allSatisfy { (0x30...0x39).contains($0) || $0 == UInt8(ascii: ".") }
        if isIPv4 { return host.hasPrefix("127.") }
        return host == "::1" || !host.contains { ".:".contains($0) }
    }
}
