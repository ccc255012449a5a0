import HTTPTypes
package import Hummingbird
package import Logging

/// Measures each request and writes a line about it: by its route's pattern, never by what a caller wrote.
///
/// A path holds customers' identifiers, and is a stranger's choice: neither a label nor a line of the log has it.
package struct ObservationMiddleware: RouterMiddleware {
    private let metrics: RequestMetrics
    private let logger: Logger

    /// Makes the middleware.
    package init(metrics: RequestMetrics, logger: Logger) {
        self.metrics = metrics
        self.logger = logger
    }

    /// Runs the request.
    @concurrent package func handle(
        _ request: Request,
        context: ServerRequestContext,
        next: @concurrent (Request, ServerRequestContext) async throws -> Response
    ) async throws -> Response {
        let start = ContinuousClock.now
        metrics.begin()
        defer { metrics.end() }
        let response = try await next(request, context)
        let duration = ContinuousClock.now - start
        // Hummingbird's word where no route has the path.
        let route = context.endpointPath.flatMap { $0 == "NotFound" ? nil : $0 }
        metrics.record(route: route, method: request.method, status: response.status, duration: duration)
        // Building the line costs more than the answer where nobody wants it.
        if logger.logLevel <= .info {
            logger.info(
                "Request answered",
                metadata: [
                    "request_id": "\(context.requestID)",
                    "method": "\(RequestMetrics.name(of: request.method))",
                    "route": "\(route ?? RequestMetrics.noRoute)",
                    "status": "\(response.status.code)",
                    "duration_ms": "\((duration / .microseconds(1)).rounded() / 1_000)",
                ]
            )
        }
        return response
    }
}
