import AppStoreModel
import AppStoreSigning
import Synchronization

/// The common values of all attempts of a call.
struct CallPlan: Sendable {
    let call: AppStoreServerCall
    /// Path and query, encoded.
    let target: String
    let body: [UInt8]?
    let bundleId: String
    /// The deadline, by the monotonic clock in milliseconds.
    let deadline: Int64
}

/// Sends a call once: waits for the rate limiter, gets a token, and interprets the answer.
final class CallSender: Sendable {
    /// An app in an environment, called with a key. The permissions of one key say nothing about another.
    private struct CredentialScope: Hashable {
        let bundleId: String
        let environment: AppStoreEnvironment
        let keyId: String?
        let issuerId: String?

        /// The same app and key in another environment.
        func isElsewhere(_ other: CredentialScope) -> Bool {
            environment != other.environment
                && (bundleId, keyId, issuerId) == (other.bundleId, other.keyId, other.issuerId)
        }
    }

    private let transport: any HTTPTransport
    private let tokens: any BearerTokenSource
    private let configuration: AppStoreServerAPIClient.Configuration
    private let clock: any ClientClock
    private let limiter = RateLimiter()
    /// The scopes in which Apple accepted a token; they determine the possible causes of a later 401.
    private let accepted = Mutex<Set<CredentialScope>>([])

    init(
        transport: any HTTPTransport,
        tokens: any BearerTokenSource,
        configuration: AppStoreServerAPIClient.Configuration,
        clock: any ClientClock
    ) {
        self.transport = transport
        self.tokens = tokens
        self.configuration = configuration
        self.clock = clock
    }

    /// Sends a call once.
    ///
    /// - Parameters:
    ///   - refusedKeyIds: The keys that Apple refused in this call; they are not used.
    ///   - attempts: Incremented when the request goes to the transport.
    func send(
        _ plan: CallPlan,
        to environment: AppStoreEnvironment,
        except refusedKeyIds: Set<String>,
        attempts: inout Int
    ) async throws(CallFailure) -> AppStoreHTTPResponse {
        guard let baseURL = configuration.hosts[environment] else {
            let message = "No base URL is configured for the environment \(environment); add it to the hosts."
            throw CallFailure(final: AppStoreClientError(code: .environmentNotConfigured, message: message))
        }
        try await waitForLimiter(plan, environment)
        let credential = try await credential(of: plan, except: refusedKeyIds)
        let request = httpRequest(plan, baseURL: baseURL, credential: credential)
        let timeout = try timeout(plan)
        attempts += 1
        let response: AppStoreHTTPResponse
        do throws(HTTPTransportError) {
            response = try await transport.send(
                request,
                timeout: .milliseconds(timeout),
                bodyBytesMax: configuration.responseBytesMax
            )
        } catch {
            let error = Task.isCancelled ? error.cancelled : error.redacting(credential.token)
            throw CallFailure(error, of: plan.call)
        }
        guard response.body.count <= configuration.responseBytesMax else {
            throw CallFailure(.tooLarge(configuration.responseBytesMax), of: plan.call)
        }
        // Below 500, only 401 says that Apple does not accept the token.
        if !refusedKeyIds.isEmpty, response.status != 401, response.status < 500 {
            try await withTokens(of: plan) { tokens in
                await tokens.prefer(credential, bundleId: plan.bundleId, now: self.clock.wallMilliseconds)
            }
        }
        return try read(response.redacting(credential.token), of: plan, from: environment, credential: credential)
    }

    /// Makes the token source provide a new token.
    func discard(_ credential: BearerCredential, of plan: CallPlan) async throws(CallFailure) {
        _ = try remaining(plan)
        try await withTokens(of: plan) { await $0.discard(credential, bundleId: plan.bundleId) }
    }

    /// Whether the app has a key that Apple did not refuse in this call.
    func hasKey(for plan: CallPlan, except refusedKeyIds: Set<String>) async throws(CallFailure) -> Bool {
        try await provided(plan, except: refusedKeyIds) != nil
    }

    /// Lets the token source note something in the remaining time of the call, and not at all if there is none.
    private func withTokens(
        of plan: CallPlan,
        _ body: @escaping @Sendable (any BearerTokenSource) async -> Void
    ) async throws(CallFailure) {
        let remaining = plan.deadline.subtractingClamped(clock.monotonicMilliseconds)
        guard remaining > 0 else { return }
        do {
            // A timeout here is reported by the next check of the deadline.
            _ = try await clock.within(milliseconds: remaining) { [tokens] in await body(tokens) }
        } catch {
            throw CallFailure(final: .cancelledCall)
        }
    }

    private func httpRequest(
        _ plan: CallPlan,
        baseURL: String,
        credential: BearerCredential
    ) -> AppStoreHTTPRequest {
        var headers = HTTPHeaders([
            .init("Authorization", "Bearer \(credential.token)"),
            .init("Accept", "application/json"),
            .init("User-Agent", configuration.userAgent),
        ])
        if let contentType = plan.call.body.contentType { headers.add("Content-Type", contentType) }
        return AppStoreHTTPRequest(
            method: plan.call.method,
            url: baseURL + plan.target,
            headers: headers,
            body: plan.body
        )
    }

    /// The time limit of the attempt, in milliseconds.
    private func timeout(_ plan: CallPlan) throws(CallFailure) -> Int64 {
        min(try remaining(plan), max(1, configuration.retryPolicy.attemptTimeout.wholeMilliseconds))
    }

    /// The remaining time of the call, in milliseconds.
    private func remaining(_ plan: CallPlan) throws(CallFailure) -> Int64 {
        let remaining = plan.deadline.subtractingClamped(clock.monotonicMilliseconds)
        guard remaining > 0 else {
            throw .deadline("The call's deadline passed before it could be sent; allow more time.")
        }
        return remaining
    }
}

// MARK: - Rate limits and tokens

extension CallSender {
    /// Waits until the limiter admits the call; fails at once if that is after the deadline.
    private func waitForLimiter(
        _ plan: CallPlan,
        _ environment: AppStoreEnvironment
    ) async throws(CallFailure) {
        if Task.isCancelled { throw CallFailure(final: .cancelledCall) }
        let key = key(plan, environment)
        let limit = configuration.rateLimiting.rule(plan.call, environment == .sandbox)
        var hasSlot = false
        // Terminates: every wait brings the deadline nearer, and a wait beyond it is refused.
        while true {
            let now = clock.monotonicMilliseconds
            // An attempt needs at least one millisecond.
            let waitMax = plan.deadline.subtractingClamped(now).subtractingClamped(1)
            let admission =
                hasSlot
                ? limiter.readmit(key, limit: limit, now: now, waitMax: waitMax)
                : limiter.admit(key, limit: limit, now: now, waitMax: waitMax)
            switch admission {
            case .after(0):
                return
            case .after(let wait):
                do {
                    try await clock.sleep(milliseconds: wait)
                } catch {
                    if limit != nil { limiter.release(key, at: now.addingClamped(wait)) }
                    throw CallFailure(final: .cancelledCall)
                }
                hasSlot = true
            case .refused(let wait):
                let retryAfter = RetryAfter(delay: wait, now: clock.wallMilliseconds)
                throw CallFailure(final: AppStoreClientError(notSent: plan.call, retryAfter: retryAfter))
            }
        }
    }

    private func key(_ plan: CallPlan, _ environment: AppStoreEnvironment) -> RateLimiter.Key {
        RateLimiter.Key(bundleId: plan.bundleId, environment: environment, call: plan.call.name)
    }

    private func credential(
        of plan: CallPlan,
        except refusedKeyIds: Set<String>
    ) async throws(CallFailure) -> BearerCredential {
        if let credential = try await provided(plan, except: refusedKeyIds) { return credential }
        // The keys of the source were replaced since it was asked whether there is another one.
        let message =
            "No In-App Purchase key is left for \(plan.bundleId): Apple refused "
            + "\(refusedKeyIds.sorted().joined(separator: ", ")). Add a new key to the token source."
        throw CallFailure(final: AppStoreClientError(code: .keyMissing, message: message))
    }

    /// The token of the app's first key that was not refused; nil if all were.
    private func provided(
        _ plan: CallPlan,
        except refusedKeyIds: Set<String>
    ) async throws(CallFailure) -> BearerCredential? {
        let remaining = try remaining(plan)
        let credential: BearerCredential??
        do {
            credential = try await clock.within(milliseconds: remaining) { [tokens, now = clock.wallMilliseconds] in
                guard refusedKeyIds.isEmpty else {
                    return try await tokens.credential(bundleId: plan.bundleId, except: refusedKeyIds, now: now)
                }
                return try await tokens.credential(bundleId: plan.bundleId, now: now)
            }
        } catch let error as AppStoreClientError {
            throw CallFailure(final: error)
        } catch is CancellationError {
            throw CallFailure(final: .cancelledCall)
        } catch {
            // The text of an external error might contain a secret; ours never does.
            let reason = (error as? SigningError)?.description ?? "\(type(of: error))"
            let message = "No token could be made for \(plan.bundleId) (\(reason)); check the token source and its key."
            throw CallFailure(final: AppStoreClientError(code: .tokenNotMade, message: message))
        }
        guard let credential else {
            throw .deadline("The token source returned no token before the call's deadline; check what delays it.")
        }
        return credential
    }
}

// MARK: - Answers

extension CallSender {
    /// Returns a successful answer, or throws the error of another one.
    private func read(
        _ response: AppStoreHTTPResponse,
        of plan: CallPlan,
        from environment: AppStoreEnvironment,
        credential: BearerCredential
    ) throws(CallFailure) -> AppStoreHTTPResponse {
        let scope = CredentialScope(
            bundleId: plan.bundleId,
            environment: environment,
            keyId: credential.keyId,
            issuerId: credential.issuerId
        )
        if response.status == 401 { throw unauthorized(response, at: scope, credential: credential) }
        if (200..<300).contains(response.status) {
            accepted.withLock { _ = $0.insert(scope) }
            return response
        }
        let error = AppStoreClientError(refusal: response, of: plan.call, now: clock.wallMilliseconds)
        if error.apiError != nil { accepted.withLock { _ = $0.insert(scope) } }
        if response.status == 429 {
            // A local store's clock can be moved past the limit at any time, so each call asks it again. How long the
            // limit lasts in real time is not known, so one call asks only once.
            guard clock.isRealTime else { throw CallFailure(final: error) }
            if let retryAfter = error.retryAfter {
                let now = clock.monotonicMilliseconds
                limiter.hold(key(plan, environment), milliseconds: retryAfter.delay, now: now)
            }
        }
        // Below 500, Apple did not process the request.
        let mayHaveBeenProcessed = response.status >= 500 || response.status == 408
        throw CallFailure(error, of: plan.call, mayHaveBeenProcessed: mayHaveBeenProcessed)
    }

    private func unauthorized(
        _ response: AppStoreHTTPResponse,
        at scope: CredentialScope,
        credential: BearerCredential
    ) -> CallFailure {
        let now = clock.wallMilliseconds
        let scopes = accepted.withLock { $0 }
        let isAcceptedHere = scopes.contains(scope)
        let diagnosis = UnauthorizedDiagnosis(
            credential: credential,
            bundleId: scope.bundleId,
            environment: scope.environment,
            now: now,
            serverDate: clock.isRealTime ? response.date(now: now) : nil,
            wasAcceptedHere: isAcceptedHere,
            wasAcceptedElsewhere: scopes.contains { $0.isElsewhere(scope) }
        )
        var failure = CallFailure(final: AppStoreClientError(unauthorized: response, diagnosis: diagnosis))
        if diagnosis.isKeyInDoubt { failure.refusedCredential = credential }
        // If tokens were accepted here before, this one may just have expired.
        if isAcceptedHere { failure.doubtfulCredential = credential }
        return failure
    }
}

extension CallFailure {
    /// A deadline that passed before the call was sent.
    fileprivate static func deadline(_ message: String) -> CallFailure {
        CallFailure(final: AppStoreClientError(code: .deadlineExceeded, message: message, isRetryable: true))
    }
}
