import HTTPTypes
import Hummingbird

/// Refuses requests that a foreign web page may have caused a browser to send.
///
/// The store returns its keys to any local caller. A page of another site can reach it through the developer's browser
/// in two ways. It can send a request to the loopback address, which carries an `Origin`. It can use its own name that
/// resolves to this machine, which appears in `Host`.
struct CallerMiddleware: RouterMiddleware {
    typealias Context = StoreContext

    /// Additional allowed names, in lower case.
    let allowedHosts: Set<String>

    /// Allows more names: the given ones, and the address of the listener.
    init(host: String, allowedHosts: [String]) {
        self.allowedHosts = Set(([host] + allowedHosts).map { $0.lowercased() })
    }

    @concurrent func handle(
        _ request: Request,
        context: StoreContext,
        next: @concurrent (Request, StoreContext) async throws -> Response
    ) async throws -> Response {
        try check(host: request.head.authority, origin: request.headers[.origin])
        return try await next(request, context)
    }

    /// Checks the host and the origin of a request; programs other than browsers may omit both.
    ///
    /// - Throws: `host_refused`, `origin_refused`.
    func check(host: String?, origin: String?) throws(StoreCallError) {
        if let host, !isAllowed(Self.name(in: host)) {
            throw StoreCallError(
                .forbidden,
                code: "host_refused",
                message: "the host name is not allowed: use the store's address, or start it with --allow-host NAME",
                path: "Host"
            )
        }
        guard let origin else { return }
        guard let host, origin.lowercased() == "http://\(host)".lowercased() else {
            throw StoreCallError(
                .forbidden,
                code: "origin_refused",
                message: "the store does not answer the pages of other sites: call it from a program or a server",
                path: "Origin"
            )
        }
    }

    /// IP addresses, names that cannot be registered, and allowed names.
    ///
    /// A name without a dot belongs to the local network, for example a container.
    private func isAllowed(_ name: String) -> Bool {
        if name.hasPrefix("[") || Self.isIPv4(name) || !name.contains(".") { return true }
        let reserved = [".localhost", ".internal", ".test"]
        return allowedHosts.contains(name) || reserved.contains { name.hasSuffix($0) }
    }

    /// The host of `name:port`, in lower case and without a trailing dot.
    private static func name(in authority: String) -> String {
        let authority = authority.lowercased()
        if authority.hasPrefix("[") { return authority }
        let name = authority.prefix { $0 != ":" }
        return String(name.hasSuffix(".") ? name.dropLast() : name)
    }

    private static func isIPv4(_ name: String) -> Bool {
        let parts = name.split(separator: ".", omittingEmptySubsequences: false)
        return parts.count == 4 && parts.allSatisfy { UInt8($0) != nil }
    }
}
