package import Hummingbird
package import SubscriptionOperations
import SubscriptionStorage

/// Limits the requests of each secret key and of each operator, and those of each client address with a publishable
/// key, which every user of an app has.
///
/// It follows ``KeyMiddleware``.
package struct KeyLimitMiddleware: RouterMiddleware {
    private let limits: RequestLimits

    /// Makes the middleware.
    package init(limits: RequestLimits) {
        self.limits = limits
    }

    /// Runs the request if it is within the limit, and adds the headers of the limit.
    ///
    /// - Throws: `rate_limited` (429).
    @concurrent package func handle(
        _ request: Request,
        context: ServerRequestContext,
        next: @concurrent (Request, ServerRequestContext) async throws -> Response
    ) async throws -> Response {
        guard
            let key = context.key,
            let state = limits.take(key, of: context.person?.id, client: context.client)
        else { return try await next(request, context) }
        guard state.isAdmitted else {
            limits.metrics.count(key.kind == .secret ? .key : .address)
            throw RateLimitedError.refusal(state)
        }
        return try await state.run { try await next(request, context) }
    }
}

/// Limits the requests of each client address to a public route.
package struct AddressLimitMiddleware: RouterMiddleware {
    private let limits: RequestLimits
    private let cost: Int

    /// Makes the middleware.
    ///
    /// - Parameter cost: As how many requests one counts.
    package init(limits: RequestLimits, cost: Int = 1) {
        self.limits = limits
        self.cost = cost
    }

    /// Runs the request if it is within the limit, and adds the headers of the limit.
    ///
    /// - Throws: `rate_limited` (429).
    @concurrent package func handle(
        _ request: Request,
        context: ServerRequestContext,
        next: @concurrent (Request, ServerRequestContext) async throws -> Response
    ) async throws -> Response {
        let client = limits.clients.client(of: request, on: context.channel)
        guard let state = limits.addresses.admit(client, cost: cost) else { return try await next(request, context) }
        guard state.isAdmitted else {
            limits.metrics.count(.address)
            throw RateLimitedError.refusal(state)
        }
        return try await state.run { try await next(request, context) }
    }
}

/// Limits the requests of each client address without a valid key, so that keys cannot be guessed at full speed.
///
/// It precedes ``KeyMiddleware``. When an address has used up its budget, the server looks up no key for it that this
/// process has not found before. Clients with a key that is in use are not affected by others at the same address.
package struct RefusedKeyMiddleware: RouterMiddleware {
    private let limits: RequestLimits
    private let keys: KnownKeys
    private let operators: KnownOperators

    /// Makes the middleware.
    ///
    /// - Parameters:
    ///   - keys: The keys that were found before.
    ///   - operators: The keys and sessions of operators that were found before.
    package init(limits: RequestLimits, keys: KnownKeys, operators: KnownOperators) {
        self.limits = limits
        self.keys = keys
        self.operators = operators
    }

    /// Puts the client into the context, and counts the request if its key is refused.
    ///
    /// - Throws: `rate_limited` (429).
    @concurrent package func handle(
        _ request: Request,
        context: ServerRequestContext,
        next: @concurrent (Request, ServerRequestContext) async throws -> Response
    ) async throws -> Response {
        guard let client = limits.clients.client(of: request, on: context.channel) else {
            return try await next(request, context)
        }
        if let state = limits.addresses.state(of: client), !state.isAdmitted, !hasKnownKey(request) {
            throw refusal(state)
        }
        var context = context
        context.client = client
        do {
            return try await next(request, context)
        } catch let error as APIError where error.status == .unauthorized {
            guard let state = limits.addresses.admit(client) else { throw error }
            guard state.isAdmitted else { throw refusal(state) }
            throw RateLimitedError(base: error, state: state)
        }
    }

    private func refusal(_ state: RateLimitState) -> RateLimitedError {
        limits.metrics.count(.address)
        return .refusal(state)
    }

    private func hasKnownKey(_ request: Request) -> Bool {
        guard let token = request.bearerToken else { return false }
        let digest = KeyIssuing.digest(token)
        return OperatorKey.isText(token) ? operators.hasSeen(digest) : keys.hasSeen(digest)
    }
}

/// Limits the notifications without a valid signature from each client address, before their bodies are read.
///
/// Only what Apple cannot cause counts. A valid signature for an app that is not configured, a body that is too large
/// or incomplete, and an overloaded server do not count. Version 1 notifications are not signed, so Apple's cannot be
/// distinguished from others, and none of them counts.
package struct NotificationLimitMiddleware: RouterMiddleware {
    private static let uncounted: Set<String> = ["notification_malformed", "app_not_configured"]

    private let limits: RequestLimits

    /// Makes the middleware.
    package init(limits: RequestLimits) {
        self.limits = limits
    }

    /// Runs the request unless its address has used up its budget.
    ///
    /// - Throws: `rate_limited` (429).
    @concurrent package func handle(
        _ request: Request,
        context: ServerRequestContext,
        next: @concurrent (Request, ServerRequestContext) async throws -> Response
    ) async throws -> Response {
        guard let client = limits.clients.client(of: request, on: context.channel) else {
            return try await next(request, context)
        }
        if let state = limits.notifications.refusal(of: client) {
            limits.metrics.count(.refusedNotifications)
            throw RateLimitedError.refusal(state)
        }
        do {
            let response = try await next(request, context)
            limits.notifications.countVerified(from: client)
            return response
        } catch {
            if Self.isRefusal(error) { limits.notifications.countRefused(from: client) }
            throw error
        }
    }

    private static func isRefusal(_ error: any Error) -> Bool {
        switch error {
        case let error as APIError: error.status == .badRequest && !error.isRetryable
        case let error as OperationError: error.kind == .invalidRequest && !uncounted.contains(error.code)
        default: false
        }
    }
}

extension RateLimitState {
    /// Runs a request within the limit; its answer gets the headers of the limit.
    fileprivate func run(_ work: () async throws -> Response) async throws -> Response {
        do {
            var response = try await work()
            add(to: &response.headers)
            return response
        } catch {
            throw RateLimitedError(base: error, state: self)
        }
    }
}
