import HTTPTypes
package import Hummingbird

/// Lets in as many requests, and as many bytes of their bodies, as the server can hold at a time.
package struct AdmissionMiddleware: RouterMiddleware {
    private let gate: AdmissionGate
    private let bodyBytesMax: Int

    /// Makes the middleware.
    ///
    /// - Parameters:
    ///   - gate: Counts what is under way.
    ///   - bodyBytesMax: What the largest of the routes takes.
    package init(gate: AdmissionGate, bodyBytesMax: Int) {
        self.gate = gate
        self.bodyBytesMax = bodyBytesMax
    }

    /// Runs the request, if there is room for it.
    ///
    /// - Throws: `overloaded` (503); `body_too_large` (413) where the head says that the body is larger than any of the
    ///   routes takes.
    @concurrent package func handle(
        _ request: Request,
        context: ServerRequestContext,
        next: @concurrent (Request, ServerRequestContext) async throws -> Response
    ) async throws -> Response {
        let declared = request.headers.value(of: .contentLength).map { Int($0) ?? .max }
        if let declared, declared > bodyBytesMax { throw APIError.bodyTooLarge(limit: bodyBytesMax) }
        guard gate.enter() else { throw APIError.overloaded }
        let admission = Admission(gate) { [channel = context.channel] in channel.close(promise: nil) }
        defer { admission.end() }
        var (request, context) = (request, context)
        context.admission = admission
        if declared.map({ $0 > 0 }) ?? request.headers.contains(.transferEncoding) {
            request.body = RequestBody(asyncSequence: AdmittedBody(base: request.body, admission: admission))
        }
        return try await next(request, context)
    }
}

extension APIError {
    static let overloaded = APIError(
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
