import AppStoreModel
import AppStoreSigning
import HTTPTypes
import Hummingbird
import LocalAppStore
import NIOCore

/// The checks before every call of Apple's API: the token (401), then the rate limit (429).
///
/// After these checks every answer has Apple's form; the store's own errors never appear there.
struct AppleGate: Sendable {
    let coordinator: StoreCoordinator
    let bearer: BearerGate

    /// Executes a call only with a valid token and within the endpoint's rate limit.
    func guarded(
        _ endpoint: AppStoreServerCall.Identifier,
        _ handler: @escaping RouteTable.Handler
    ) -> RouteTable.Handler {
        { request, context in
            let (now, refusesEveryToken) = await coordinator.read { ($0.now, $0.refusesEveryToken) }
            if refusesEveryToken { return BearerGate.unauthenticated() }
            if let refusal = bearer.refusal(request, virtualSeconds: now / 1000) { return refusal }
            let (retryAt, fault) = await coordinator.read { store -> (Int64?, APIFault?) in
                let retryAt = store.admit(endpoint)
                return (retryAt, retryAt == nil ? store.fault(of: endpoint) : nil)
            }
            if let retryAt { return Self.rateLimited(until: retryAt) }
            if let fault, let answer = try await Self.answer(to: fault, now: now) { return answer }
            do {
                let response = try await handler(request, context)
                return fault == .malformedBody && response.status == .ok ? Self.malformed() : response
            } catch is MalformedAppleBody {
                return Response(status: .badRequest)
            } catch let error as StoreCallError {
                return .appleError(error.status.kind == .serverError ? .generalInternalRetryable : .generalBadRequest)
            } catch is StoreError {
                return .appleError(.generalInternal)
            }
        }
    }

    /// The answer of a fault that replaces the call; `nil` if the call is executed.
    private static func answer(to fault: APIFault, now: Int64) async throws -> Response? {
        switch fault {
        case .rateLimit(let time): return rateLimited(until: time.added(to: now))
        case .serverError(let isRetryable):
            return .appleError(isRetryable ? .generalInternalRetryable : .generalInternal)
        case .timeout(let milliseconds):
            try await Task.sleep(for: .milliseconds(milliseconds))
            return Response(status: .gatewayTimeout)
        case .malformedBody: return nil
        }
    }

    /// An answer that is cut off after its first bytes.
    private static func malformed() -> Response {
        Response(
            status: .ok,
            headers: [.contentType: "application/json"],
            body: ResponseBody(byteBuffer: ByteBuffer(string: "{\"signed"))
        )
    }

    /// Apple's 429: the header contains milliseconds since 1970, neither seconds nor a date.
    static func rateLimited(until retryAt: Int64) -> Response {
        var response = Response.appleError(.rateLimitExceeded)
        response.headers[.retryAfter] = "\(retryAt)"
        return response
    }
}

/// A body that is not a JSON object: Apple answers 400 without an error code.
struct MalformedAppleBody: Error, Hashable {}

extension Request {
    /// The body of a call of Apple's API; members that Apple does not define are ignored.
    ///
    /// - Throws: ``MalformedAppleBody``; `body_too_large`.
    func appleBody() async throws -> JSONObject {
        let bytes = try await bodyBytes()
        do { return try JSONParser.parseObject(bytes) } catch { throw MalformedAppleBody() }
    }
}
