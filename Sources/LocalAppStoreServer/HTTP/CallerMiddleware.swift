import HTTPTypes
import Hummingbird

/// Refuses what a web page of somebody else may have made a browser send.
///
/// The store hands out its keys to whoever asks. A page of another site can reach it through the developer's browser:
/// with a request to the loopback address, which carries an `Origin`, or by a name of its own that leads to this
/// machine, which stands in `Host`.
struct CallerMiddleware: RouterMiddleware {
    typealias Context = StoreContext

    /// The names beside those that every store has, in lower case.
    let allowedHosts: Set<String>

    /// Lets a store be called by more names: those given, and the address that it listens on.
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

    /// Checks whom a request is for, and which page made it; a program that is no browser may leave both out.
    ///
    /// - Throws: `host_refused`, `origin_refused`.
    func check(host: String?, origin: String?) throws(StoreCallError) {
        if let host, !isAllowed(Self.name(in: host)) {
            throw StoreCallError(
                .forbidden,
                code: "host_refused",
                message: "the store is not called by this name: use its address, or start it with --allow-host NAME",
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

    /// Addresses, names that nobody can register, and names that were allowed.
    ///
    /// A name without a dot is one of the local network, such as a container's.
    private func isAllowed(_ name: String) -> Bool {
        if name.hasPrefix("[") || Self.isIPv4(name) || !name.contains(".") { return true }
        let reserved = [".localhost", ".internal", ".test"]
        return allowedHosts.contains(name) || reserved.contains { name.hasSuffix($0) }
    }

    /// The name in `name:port`, in lower case and without the dot of a full name.
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
