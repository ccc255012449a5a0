/// A request in the form of a transport.
///
/// Its description shows method, URL and size, but never the bearer token.
public struct AppStoreHTTPRequest: Hashable, Sendable {
    /// The method, in capitals.
    public var method: String

    /// The complete URL with path and query, percent-encoded.
    public var url: String

    /// The header fields, including `Authorization`.
    public var headers: HTTPHeaders

    /// The body; nil for none, then without `Content-Type`.
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
    /// Method, URL and the size of the body.
    public var description: String {
        body.map { "\(method) \(url) (\($0.count) bytes)" } ?? "\(method) \(url)"
    }
}

/// An answer from a transport with its complete body.
public struct AppStoreHTTPResponse: Hashable, Sendable {
    /// The HTTP status.
    public var status: Int

    /// The header fields.
    public var headers: HTTPHeaders

    /// The body; empty if there is none.
    public var body: [UInt8]

    /// Makes an answer.
    public init(status: Int, headers: HTTPHeaders = HTTPHeaders(), body: [UInt8] = []) {
        self.status = status
        self.headers = headers
        self.body = body
    }
}
