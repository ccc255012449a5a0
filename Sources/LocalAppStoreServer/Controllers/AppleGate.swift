import AppStoreModel
import AppStoreSigning
import HTTPTypes
import Hummingbird
import LocalAppStore

/// What every call to Apple's surface passes before its own work: the token (401), then the rate limit (429).
///
/// Behind the gate a call answers as Apple does whatever happens; the store's own errors never show there.
struct AppleGate: Sendable {
    let desk: StoreDesk
    let bearer: BearerGate

    /// Lets a call through only with a good token and within the endpoint's rate limit.
    func guarded(_ endpoint: AppleEndpoint, _ handler: @escaping RouteTable.Handler) -> RouteTable.Handler {
        { request, context in
            let (now, refusesEveryToken) = await desk.read { ($0.now, $0.refusesEveryToken) }
            if refusesEveryToken { return BearerGate.unauthenticated() }
            if let refusal = bearer.refusal(request, virtualSeconds: now / 1000) { return refusal }
            if let retryAt = await desk.read({ $0.admit(endpoint) }) { return Self.rateLimited(until: retryAt) }
            do {
                return try await handler(request, context)
            } catch is MalformedAppleBody {
                return Response(status: .badRequest)
            } catch let error as StoreCallError {
                return .appleError(error.status.kind == .serverError ? .generalInternalRetryable : .generalBadRequest)
            } catch is StoreError {
                return .appleError(.generalInternal)
            }
        }
    }

    /// Apple's 429: the header carries milliseconds since 1970, neither seconds nor a date.
    static func rateLimited(until retryAt: Int64) -> Response {
        var response = Response.appleError(.rateLimitExceeded)
        response.headers[.retryAfter] = "\(retryAt)"
        return response
    }
}

/// A body that is no JSON object: Apple answers 400 without an error code.
struct MalformedAppleBody: Error, Hashable {}

extension Request {
    /// The body of a call to Apple's surface; members that Apple does not know are passed over.
    ///
    /// - Throws: ``MalformedAppleBody``; `body_too_large`.
    func appleBody() async throws -> JSONObject {
        let bytes = try await bodyBytes()
        do { return try JSONParser.parseObject(bytes) } catch { throw MalformedAppleBody() }
    }
}
