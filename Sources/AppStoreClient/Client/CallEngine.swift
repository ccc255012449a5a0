import AppStoreModel
import AppStoreSigning
import Synchronization

/// Performs calls: environments in their order, attempts within the policy, one deadline over all.
final class CallEngine: Sendable {
    /// An app in an environment.
    struct Place: Hashable, Sendable {
        let bundleId: String
        let environment: AppStoreEnvironment
    }

    /// What is fixed for all attempts of a call.
    private struct Plan: Sendable {
        let request: CallRequest
        let target: String
        let bundleId: String
        /// When all must be over, by the monotonic clock in milliseconds.
        let deadline: Int64
    }

    let transport: any HTTPTransport
    let tokens: any BearerTokenSource
    let configuration: AppStoreServerAPIClient.Configuration
    let clock: any ClientClock
    let jitter: @Sendable () -> Double
    private let limiter = RateLimiter()
    /// Where Apple took a token of the app: what a later 401 can mean depends on it.
    private let accepted = Mutex<Set<Place>>([])

    init(
        transport: any HTTPTransport,
        tokens: any BearerTokenSource,
        configuration: AppStoreServerAPIClient.Configuration,
        clock: any ClientClock,
        jitter: @escaping @Sendable () -> Double
    ) {
        self.transport = transport
        self.tokens = tokens
        self.configuration = configuration
        self.clock = clock
        self.jitter = jitter
    }

    /// Performs a call in the first environment that knows what is asked for.
    func perform(
        _ request: CallRequest,
        bundleId: String,
        choice: EnvironmentChoice,
        deadline: Duration?
    ) async throws(AppStoreClientError) -> AppStoreAnswer<[UInt8]> {
        let duration = max(0, (deadline ?? configuration.retryPolicy.deadline).wholeMilliseconds)
        let plan = Plan(
            request: request,
            target: try request.target(),
            bundleId: bundleId,
            deadline: clock.monotonicMilliseconds.addingClamped(duration)
        )
        let environments = try environments(of: choice, for: request.call)
        var attempts = 0
        for environment in environments.dropLast() {
            do throws(AppStoreClientError) {
                return try await perform(plan, in: environment, attempts: &attempts)
            } catch {
                guard choice.fallsBack(after: error) else { throw error }
            }
        }
        // `environments(of:for:)` gives at least one.
        return try await perform(plan, in: environments[environments.count - 1], attempts: &attempts)
    }

    /// The environments of a choice that serve a call; never empty.
    private func environments(
        of choice: EnvironmentChoice,
        for call: AppStoreServerCall
    ) throws(AppStoreClientError) -> [AppStoreEnvironment] {
        let environments = choice.environments.filter {
            !configuration.checksAvailability || call.availability.includes($0)
        }
        guard !environments.isEmpty else {
            let place = call.availability == .productionOnly ? "production" : "sandbox"
            var error = AppStoreClientError(
                code: .callNotAvailable,
                message: "Apple serves \(call.title) in \(place) only: call it there."
            )
            error.call = call.name
            throw error
        }
        return environments
    }

    /// Performs a call in one environment, with repetition.
    private func perform(
        _ plan: Plan,
        in environment: AppStoreEnvironment,
        attempts: inout Int
    ) async throws(AppStoreClientError) -> AppStoreAnswer<[UInt8]> {
        let policy = configuration.retryPolicy
        var hasNewToken = false
        var attempt = 0
        while true {
            attempt += 1
            do throws(AttemptFailure) {
                let response = try await self.attempt(plan, in: environment, attempts: &attempts)
                return AppStoreAnswer(
                    value: response.body,
                    answeredBy: environment,
                    response: response,
                    attempts: attempts
                )
            } catch {
                var failure = error.failure
                failure.error.call = plan.request.call.name
                failure.error.environment = environment
                failure.error.attempts = attempts
                if let credential = error.doubtfulCredential, !hasNewToken, attempt < policy.attemptsMax {
                    hasNewToken = true
                    await tokens.discard(credential, bundleId: plan.bundleId)
                    continue
                }
                let remaining = plan.deadline - clock.monotonicMilliseconds
                guard
                    let wait = policy.wait(after: failure, attempt: attempt, remaining: remaining, jitter: jitter())
                else { throw failure.error }
                try await sleep(wait, otherwise: failure.error)
            }
        }
    }

    private func sleep(
        _ milliseconds: Int64,
        otherwise failure: AppStoreClientError
    ) async throws(AppStoreClientError) {
        do {
            try await clock.sleep(milliseconds: milliseconds)
        } catch {
            var cancelled = AppStoreClientError.cancelledCall
            cancelled.call = failure.call
            cancelled.environment = failure.environment
            cancelled.attempts = failure.attempts
            throw cancelled
        }
    }

    /// Sends a call once, when the limiter lets it.
    private func attempt(
        _ plan: Plan,
        in environment: AppStoreEnvironment,
        attempts: inout Int
    ) async throws(AttemptFailure) -> AppStoreHTTPResponse {
        let place = Place(bundleId: plan.bundleId, environment: environment)
        guard let baseURL = configuration.hosts[environment] else {
            let message = "No base URL is configured for the environment \(environment); add it to the hosts."
            throw AttemptFailure(AppStoreClientError(code: .environmentNotConfigured, message: message))
        }
        try await waitForPlace(plan, at: place)
        let credential = try await credential(bundleId: plan.bundleId)
        let timeout = try timeout(plan)
        attempts += 1
        let response: AppStoreHTTPResponse
        do throws(HTTPTransportError) {
            response = try await transport.send(
                httpRequest(plan, baseURL: baseURL, credential: credential),
                timeout: .milliseconds(timeout),
                bodyBytesMax: configuration.responseBytesMax
            )
        } catch {
            throw transportFailure(error, call: plan.request.call)
        }
        guard response.body.count <= configuration.responseBytesMax else {
            throw transportFailure(.tooLarge(configuration.responseBytesMax), call: plan.request.call)
        }
        return try read(response.redacting(credential.token), of: plan.request.call, at: place, credential: credential)
    }

    private func httpRequest(
        _ plan: Plan,
        baseURL: String,
        credential: BearerCredential
    ) -> AppStoreHTTPRequest {
        let call = plan.request.call
        var headers = HTTPHeaders([
            .init("Authorization", "Bearer \(credential.token)"),
            .init("Accept", "application/json"),
            .init("User-Agent", configuration.userAgent),
        ])
        if let contentType = call.body.contentType { headers.add("Content-Type", contentType) }
        return AppStoreHTTPRequest(
            method: call.method,
            url: baseURL + plan.target,
            headers: headers,
            body: plan.request.body
        )
    }

    /// Waits until the limiter lets the call through, or refuses it when that is after the deadline.
    private func waitForPlace(_ plan: Plan, at place: Place) async throws(AttemptFailure) {
        if Task.isCancelled { throw AttemptFailure(.cancelledCall) }
        let now = clock.monotonicMilliseconds
        let key = limiterKey(plan.request.call, at: place)
        let limit = configuration.rateLimiting.rule(plan.request.call, place.environment == .sandbox)
        switch limiter.admit(key, limit: limit, now: now, waitMax: plan.deadline.addingClamped(-now) - 1) {
        case .after(0):
            return
        case .after(let wait):
            do {
                try await clock.sleep(milliseconds: wait)
            } catch {
                throw AttemptFailure(.cancelledCall)
            }
        case .refused(let wait):
            throw AttemptFailure(.rateLimited(by: wait, call: plan.request.call, now: clock.wallMilliseconds))
        }
    }

    private func limiterKey(_ call: AppStoreServerCall, at place: Place) -> RateLimiter.Key {
        RateLimiter.Key(bundleId: place.bundleId, environment: place.environment, call: call.name)
    }

    private func credential(bundleId: String) async throws(AttemptFailure) -> BearerCredential {
        do {
            return try await tokens.credential(bundleId: bundleId, now: clock.wallMilliseconds)
        } catch let error as AppStoreClientError {
            throw AttemptFailure(error)
        } catch is CancellationError {
            throw AttemptFailure(.cancelledCall)
        } catch {
            // A foreign error's text might hold a secret; of ours it is known not to.
            let reason = (error as? SigningError)?.description ?? "\(type(of: error))"
            let message =
                "No bearer token could be made for \(bundleId) (\(reason)); check the token source and its key."
            throw AttemptFailure(AppStoreClientError(code: .tokenNotMade, message: message))
        }
    }

    /// How long the attempt may take, in milliseconds.
    private func timeout(_ plan: Plan) throws(AttemptFailure) -> Int64 {
        let remaining = plan.deadline - clock.monotonicMilliseconds
        guard remaining > 0 else {
            let message = "The call's deadline was over before it could be sent; allow more time."
            throw AttemptFailure(AppStoreClientError(code: .deadlineExceeded, message: message, isRetryable: true))
        }
        return min(remaining, max(1, configuration.retryPolicy.attemptTimeout.wholeMilliseconds))
    }

    /// Takes a success, or finds what an answer that is none means.
    private func read(
        _ response: AppStoreHTTPResponse,
        of call: AppStoreServerCall,
        at place: Place,
        credential: BearerCredential
    ) throws(AttemptFailure) -> AppStoreHTTPResponse {
        if response.status == 401 { throw unauthorized(response, at: place, credential: credential) }
        if (200..<300).contains(response.status) {
            accepted.withLock { _ = $0.insert(place) }
            return response
        }
        let error = AppStoreClientError(refusal: response, of: call, now: clock.wallMilliseconds)
        if error.apiError != nil { accepted.withLock { _ = $0.insert(place) } }
        if response.status == 429, let retryAfter = error.retryAfter {
            limiter.hold(
                limiterKey(call, at: place),
                milliseconds: retryAfter.delay,
                now: clock.monotonicMilliseconds
            )
        }
        // Below 500 Apple says that it did nothing.
        throw AttemptFailure(
            CallFailure(error: error, isRepeatable: call.isRepeatable, mayHaveBeenProcessed: response.status >= 500)
        )
    }

    private func unauthorized(
        _ response: AppStoreHTTPResponse,
        at place: Place,
        credential: BearerCredential
    ) -> AttemptFailure {
        let now = clock.wallMilliseconds
        let (here, elsewhere) = accepted.withLock { accepted in
            (
                accepted.contains(place),
                accepted.contains { $0.bundleId == place.bundleId && $0.environment != place.environment }
            )
        }
        let diagnosis = UnauthorizedDiagnosis(
            credential: credential,
            bundleId: place.bundleId,
            environment: place.environment,
            now: now,
            serverDate: response.date(now: now),
            wasAcceptedHere: here,
            wasAcceptedElsewhere: elsewhere
        )
        var failure = AttemptFailure(AppStoreClientError(unauthorized: response, diagnosis: diagnosis))
        // Where tokens were taken before, this one may just have come of age.
        if here { failure.doubtfulCredential = credential }
        return failure
    }

    private func transportFailure(_ error: HTTPTransportError, call: AppStoreServerCall) -> AttemptFailure {
        AttemptFailure(
            CallFailure(
                error: AppStoreClientError(error),
                isRepeatable: call.isRepeatable,
                mayHaveBeenProcessed: error.mayHaveBeenSent
            )
        )
    }
}

/// A failed attempt, and the token that may be to blame.
private struct AttemptFailure: Error {
    var failure: CallFailure
    var doubtfulCredential: BearerCredential?

    init(_ failure: CallFailure) {
        self.failure = failure
    }

    /// A failure that no further attempt would mend.
    init(_ error: AppStoreClientError) {
        failure = CallFailure(error: error, isRepeatable: false, mayHaveBeenProcessed: true)
    }
}

extension HTTPTransportError {
    fileprivate static func tooLarge(_ bytesMax: Int) -> HTTPTransportError {
        let message = "The answer is larger than the limit of \(bytesMax) bytes; raise the limit if it is due."
        return HTTPTransportError(code: .responseTooLarge, message: message, mayHaveBeenSent: true)
    }
}

extension AppStoreClientError {
    /// The limiter's refusal, with the wait that it would take in milliseconds.
    fileprivate static func rateLimited(by wait: Int64, call: AppStoreServerCall, now: Int64) -> AppStoreClientError {
        let seconds = (wait + 999) / 1000
        return AppStoreClientError(
            code: .rateLimitedByClient,
            message: "\(call.title) was not sent: Apple's rate limit allows it in \(seconds) s, after the deadline. "
                + "Spread the calls, or allow more time.",
            isRetryable: true,
            retryAfter: RetryAfter(delay: wait, now: now)
        )
    }
}
