import HTTPTypes
package import Hummingbird
import Synchronization

/// Lets in as many requests, and as many bytes of their bodies, as the server can hold at a time.
package struct AdmissionMiddleware: RouterMiddleware {
    private let gate: AdmissionGate
    private let bodyBytesMax: Int

    /// Makes the middleware.
    ///
    /// - Parameters:
    ///   - gate: Counts what is under way.
    ///   - bodyBytesMax: What the largest of the routes takes; a body whose length is not said may be as long.
    package init(gate: AdmissionGate, bodyBytesMax: Int) {
        self.gate = gate
        self.bodyBytesMax = bodyBytesMax
    }

    /// Runs the request, if there is room for it.
    ///
    /// - Throws: `overloaded` (503), before anything of the body was read; `body_too_large` (413) where the body says that
    ///   it is larger than any of the routes takes.
    @concurrent package func handle(
        _ request: Request,
        context: ServerRequestContext,
        next: @concurrent (Request, ServerRequestContext) async throws -> Response
    ) async throws -> Response {
        let bytes = bodyBytes(of: request)
        guard bytes <= bodyBytesMax else { throw APIError.bodyTooLarge(limit: bodyBytesMax) }
        guard gate.enter(bytes: bytes) else { throw APIError.overloaded }
        defer { gate.leave(bytes: bytes) }
        return try await next(request, context)
    }

    /// How long the body is, by what the head says of it.
    private func bodyBytes(of request: Request) -> Int {
        if let length = request.headers.value(of: .contentLength) { return Int(length) ?? .max }
        return request.headers.contains(.transferEncoding) ? bodyBytesMax : 0
    }
}

/// Counts what is under way.
package final class AdmissionGate: Sendable {
    private let requestsMax: Int
    private let bytesMax: Int
    private let state = Mutex((requests: 0, bytes: 0))

    /// Nothing is under way.
    package init(_ limits: ServerLimits) {
        requestsMax = limits.requestsMax
        bytesMax = limits.bodyBytesInProgressMax
    }

    /// Whether there is room; what is let in must leave.
    func enter(bytes: Int) -> Bool {
        state.withLock { state in
            // One request is always let in, however small the limit is.
            let fits = state.requests == 0 || bytes <= bytesMax - state.bytes
            guard state.requests < requestsMax, fits else { return false }
            state.requests += 1
            state.bytes += bytes
            return true
        }
    }

    func leave(bytes: Int) {
        state.withLock { state in
            state.requests -= 1
            state.bytes -= bytes
        }
    }
}

extension APIError {
    fileprivate static let overloaded = APIError(
        .serviceUnavailable,
        .api,
        "overloaded",
        "The server is at its limit of requests under way. Nothing was changed; send it again in some seconds.",
        isRetryable: true
    )

    /// The body is larger than the route takes.
    static func bodyTooLarge(limit: Int) -> APIError {
        APIError(
            .contentTooLarge,
            .invalidRequest,
            "body_too_large",
            "The body is larger than the \(limit) bytes that this route takes."
        )
    }
}
