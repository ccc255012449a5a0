import Crypto
package import HTTPTypes
package import Hummingbird
import Logging
import NIOCore
import PerennialPrimitives
import SubscriptionCore
package import SubscriptionOperations
import SubscriptionStorage
import Synchronization

/// `Idempotency-Key` on every POST with an API key: the same request is processed once and gets the same response. Each
/// API key and each operator has its own namespace.
///
/// Only responses of successful requests are stored: a refused request may be corrected and sent again. Responses with
/// an entitlement token, and those about work that goes on, are not stored. With a publishable key nothing is stored:
/// its requests are idempotent, and anybody could fill the database with responses. Nor is anything stored for routes
/// that process a key themselves.
package struct IdempotencyMiddleware: RouterMiddleware {
    /// The largest body size of the routes with a key.
    private static let bodyBytesMax = TransactionsController.bodyBytesMax
    private static let keyBytesMax = 255

    private let idempotency: Idempotency
    private let storesResponses: Bool

    /// Makes the middleware.
    ///
    /// - Parameter storesResponses: False for routes that process a key themselves.
    package init(idempotency: Idempotency, storesResponses: Bool = true) {
        self.idempotency = idempotency
        self.storesResponses = storesResponses
    }

    /// Replays a stored response, or runs the request and stores its response.
    ///
    /// - Throws: `parameter_invalid`, `body_too_large`, `idempotency_key_reused` and `idempotency_key_in_use` (409).
    @concurrent package func handle(
        _ request: Request,
        context: ServerRequestContext,
        next: @concurrent (Request, ServerRequestContext) async throws -> Response
    ) async throws -> Response {
        guard
            request.method == .post, let name = HTTPField.Name.idempotencyKey, let text = request.headers[name]
        else { return try await next(request, context) }
        let caller = try context.anyKey()
        let checked = try Self.checked(text)
        guard caller.kind == .secret else { return try await next(request, context) }
        guard storesResponses else {
            do { return try await next(request, context) } catch { throw error.withAKey }
        }
        // Each caller has its own keys. Otherwise one could get the response to another, with a new secret for example.
        let key = try context.callerID() + ":" + checked
        let body = try await request.bytes(limit: Self.bodyBytesMax)
        let head = Array("POST \(request.uri.string)\n".utf8)
        let digest = try await LargeWork.run(bytes: body.count) { Array(SHA256.hash(data: head + body)) }
        let since: Timestamp
        switch try await idempotency.begin(key, digest: digest, app: caller.appID) {
        case .replay(let answer): return .replay(of: answer)
        case .proceed(let time): since = time
        }
        var request = request
        request.body = RequestBody(buffer: ByteBuffer(bytes: body))
        var context = context
        // The time of the first copy is part of the identity: a day later the same key and body are another request.
        context.idempotencyKey = "\(key) \(digest.hexadecimal) \(since.milliseconds)"
        let named = NamedCustomers()
        context.namedCustomers = named
        do {
            let response = try await next(request, context)
            guard named.isKept else {
                // A copy is processed again.
                try await idempotency.release(key, digest: digest, since: since, app: caller.appID)
                return response
            }
            let kept = IdempotencyRecord.Answer(status: response.status.code, body: try await response.body.bytes())
            try await idempotency.finish(
                key,
                digest: digest,
                since: since,
                answer: kept,
                naming: named.all,
                app: caller.appID
            )
            return response
        } catch {
            await end(key, digest: digest, since: since, after: error, context)
            throw error.withAKey
        }
    }

    /// Removes a refused request. A failed request may have been processed: it keeps its identity, so that a copy is
    /// processed at most once.
    private func end(
        _ key: String,
        digest: [UInt8],
        since: Timestamp,
        after error: any Error,
        _ context: ServerRequestContext
    ) async {
        do {
            let app = try context.anyKey().appID
            if error.isRefusal {
                try await idempotency.abandon(key, app: app)
            } else {
                try await idempotency.release(key, digest: digest, since: since, app: app)
            }
        } catch let failure {
            // The response contains the request's own error. The record expires by itself.
            let code = (failure as? OperationError)?.code ?? "internal_error"
            context.logger.warning(
                "The Idempotency-Key of a refused request was not released: a copy is answered 409 until it lapses",
                metadata: ["request_id": "\(context.requestID)", "code": "\(code)"]
            )
        }
    }

    private static func checked(_ text: String) throws(APIError) -> String {
        guard (1...keyBytesMax).contains(text.utf8.count), text.utf8.allSatisfy({ (0x21...0x7E).contains($0) }) else {
            throw .invalid("Idempotency-Key", "Idempotency-Key must be 1 to \(keyBytesMax) visible ASCII characters.")
        }
        return text
    }
}

extension Error {
    /// Whether the request had no effect.
    fileprivate var isRefusal: Bool {
        if let error = self as? OperationError { return error.kind != .unavailable }
        if let error = self as? APIError { return !error.isRetryable }
        return false
    }

    /// With a key, a copy may be sent even if the outcome of the first is unknown.
    fileprivate var withAKey: any Error {
        guard let error = self as? OperationError, error == .outcomeUnknown else { return self }
        return OperationError.outcomeUnknownUnderAKey
    }
}

extension HTTPField.Name {
    /// The caller's idempotency key.
    package static let idempotencyKey = HTTPField.Name("Idempotency-Key")
    /// Marks a replayed response.
    package static let idempotencyReplayed = HTTPField.Name("Idempotency-Replayed")
}

extension Response {
    fileprivate static func replay(of answer: IdempotencyRecord.Answer) -> Response {
        var response = Response.json(bytes: answer.body, status: HTTPResponse.Status(code: answer.status))
        if let name = HTTPField.Name.idempotencyReplayed { response.headers[name] = "true" }
        return response
    }
}

extension ResponseBody {
    /// All bytes of the body.
    fileprivate func bytes() async throws -> [UInt8] {
        let collector = Collector()
        try await write(collector)
        return collector.bytes
    }

    private final class Collector: ResponseBodyWriter {
        private let collected = Mutex<[UInt8]>([])

        var bytes: [UInt8] { collected.withLock { $0 } }

        func write(_ buffer: ByteBuffer) {
            collected.withLock { $0 += Array(buffer: buffer) }
        }

        func finish(_ trailingHeaders: HTTPFields?) {}
    }
}
