import HTTPTypes
package import Hummingbird
package import Logging

/// Measures and logs each request by the pattern of its route.
///
/// A path contains customers' identifiers and is chosen by the client, so it is never used as a label or logged.
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
        // Hummingbird's name for a path without a route.
        let route = context.endpointPath.flatMap { $0 == "NotFound" ? nil : $0 }
        metrics.record(route: route, method: request.method, status: response.status, duration: duration)
        // Building the log line is expensive, so it is skipped if it is not logged.
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
