import HTTPTypes
package import Hummingbird

/// Limits concurrent requests and the bytes of their bodies.
package struct AdmissionMiddleware: RouterMiddleware {
    private let gate: AdmissionGate
    private let bodyBytesMax: Int

    /// Makes the middleware.
    ///
    /// - Parameters:
    ///   - gate: The gate with the limits.
    ///   - bodyBytesMax: The largest body size of the routes.
    package init(gate: AdmissionGate, bodyBytesMax: Int) {
        self.gate = gate
        self.bodyBytesMax = bodyBytesMax
    }

    /// Runs the request if it is within the limits.
    ///
    /// - Throws: `overloaded` (503); `body_too_large` (413) if the declared body is larger than any route accepts.
    @concurrent package func handle(
        _ request: Request,
        context: ServerRequestContext,
        next: @concurrent (Request, ServerRequestContext) async throws -> Response
    ) async throws -> Response {
        let declared = request.headers.value(of: .contentLength).map { Int($0) ?? .max }
        if let declared, declared > bodyBytesMax { throw APIError.bodyTooLarge(forAnyOf: bodyBytesMax) }
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
        "The server is at its limit of concurrent requests. Nothing was changed; send it again in a few seconds.",
        isRetryable: true
    )

    /// The body is larger than the route accepts.
    static func bodyTooLarge(limit: Int) -> APIError {
        bodyTooLarge("The body is larger than the \(limit) bytes that this route accepts.")
    }

    /// The body is larger than any of several routes accepts. Many of them accept less.
    fileprivate static func bodyTooLarge(forAnyOf limit: Int) -> APIError {
        bodyTooLarge("Bodies of more than \(limit) bytes are not accepted here.")
    }

    private static func bodyTooLarge(_ message: String) -> APIError {
        APIError(.contentTooLarge, .invalidRequest, "body_too_large", message)
    }
}
