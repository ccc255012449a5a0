import AppStoreModel
import AppStoreSigning
import HTTPTypes
import Hummingbird
import LocalAppStore
import NIOCore

/// What every call to Apple's surface passes before its own work: the token (401), then the rate limit (429).
///
/// Behind the gate a call answers as Apple does whatever happens; the store's own errors never show there.
struct AppleGate: Sendable {
    let coordinator: StoreCoordinator
    let bearer: BearerGate

    /// Lets a call through only with a good token and within the endpoint's rate limit.
    func guarded(_ endpoint: AppleEndpoint, _ handler: @escaping RouteTable.Handler) -> RouteTable.Handler {
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

    /// What a fault answers in the place of the call; `nil` when the call is carried out.
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

    /// An answer that breaks off after its first bytes.
    private static func malformed() -> Response {
        Response(
            status: .ok,
            headers: [.contentType: "application/json"],
            body: ResponseBody(byteBuffer: ByteBuffer(string: "{\"signed"))
        )
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
