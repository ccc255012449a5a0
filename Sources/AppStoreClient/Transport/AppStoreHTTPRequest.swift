/// A request as a transport sends it.
///
/// Its description shows method, address and size; it never shows the bearer token.
public struct AppStoreHTTPRequest: Hashable, Sendable {
    /// The method, in capitals.
    public var method: String

    /// The whole address with path and query, percent-encoded.
    public var url: String

    /// The header fields; `Authorization` among them.
    public var headers: HTTPHeaders

    /// The body, nil for none: then no `Content-Type` is sent either.
    public var body: [UInt8]?

    /// Makes a request.
    public init(method: String, url: String, headers: HTTPHeaders = HTTPHeaders(), body: [UInt8]? = nil) {
        self.method = method
        self.url = url
        self.headers = headers
        self.body = body
    }
}

extension AppStoreHTTPRequest: CustomStringConvertible {
    /// Method, address and the size of the body.
    public var description: String {
        body.map { "\(method) \(url) (\($0.count) bytes)" } ?? "\(method) \(url)"
    }
}

/// An answer as a transport received it, its body complete.
public struct AppStoreHTTPResponse: Hashable, Sendable {
    /// The HTTP status.
    public var status: Int

    /// The header fields.
    public var headers: HTTPHeaders

    /// The body; empty when there is none.
    public var body: [UInt8]

    /// Makes an answer.
    public init(status: Int, headers: HTTPHeaders = HTTPHeaders(), body: [UInt8] = []) {
        self.status = status
        self.headers = headers
        self.body = body
    }
}
