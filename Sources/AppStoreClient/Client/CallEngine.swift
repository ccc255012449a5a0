import AppStoreModel

/// Performs calls: environments in order, attempts by the policy, one deadline for all.
struct CallEngine: Sendable {
    let configuration: AppStoreServerAPIClient.Configuration
    let clock: any ClientClock
    let jitter: @Sendable () -> Double
    let sender: CallSender

    /// Performs a call in the first environment that knows the requested object.
    func perform(
        _ request: CallRequest,
        bundleId: String,
        choice: EnvironmentChoice,
        deadline: Duration?
    ) async throws(AppStoreClientError) -> AppStoreAnswer<[UInt8]> {
        let allowed = (deadline ?? configuration.retryPolicy.deadline).wholeMilliseconds
        let duration = min(max(0, allowed), RetryPolicy.waitMillisecondsMax)
        let plan = CallPlan(
            call: request.call,
            target: try request.target(),
            body: request.body,
            bundleId: bundleId,
            deadline: clock.monotonicMilliseconds.addingClamped(duration)
        )
        let environments = try environments(of: choice, for: request.call)
        var attempts = 0
        var before: [AppStoreClientError] = []
        // Terminates: the last one either returns or throws.
        while true {
            let environment = environments[before.count]
            do throws(AppStoreClientError) {
                return try await perform(plan, in: environment, attempts: &attempts)
            } catch {
                guard before.count + 1 < environments.count, choice.fallsBack(after: error) else {
                    throw error.after(before)
                }
                before.append(error)
            }
        }
    }

    /// The environments of a choice that offer a call; never empty.
    private func environments(
        of choice: EnvironmentChoice,
        for call: AppStoreServerCall
    ) throws(AppStoreClientError) -> [AppStoreEnvironment] {
        let environments = choice.environments.filter {
            !configuration.checksAvailability || call.availability.includes($0)
        }
        guard !environments.isEmpty else {
            let environment = call.availability == .productionOnly ? "production" : "sandbox"
            let message = "Apple serves \(call.title) in \(environment) only: call it there."
            var error = AppStoreClientError(code: .callNotAvailable, message: message)
            error.call = call.name
            throw error
        }
        return environments
    }

    /// Performs a call in one environment, with retries.
    private func perform(
        _ plan: CallPlan,
        in environment: AppStoreEnvironment,
        attempts: inout Int
    ) async throws(AppStoreClientError) -> AppStoreAnswer<[UInt8]> {
        var hasNewToken = false
        var keys = KeyTrials()
        var attempt = 0
        // Terminates: attempts are bounded by the policy, and each refused key is left out of further attempts.
        while true {
            attempt += 1
            do throws(CallFailure) {
                let response = try await sender.send(
                    plan,
                    to: environment,
                    except: keys.refusedKeyIds,
                    attempts: &attempts
                )
                return AppStoreAnswer(
                    value: response.body,
                    answeredBy: environment,
                    response: response,
                    attempts: attempts
                )
            } catch {
                let failure = error.about(plan.call, in: environment, attempts: attempts)
                if let credential = failure.doubtfulCredential, !hasNewToken,
                    attempt < configuration.retryPolicy.attemptsMax
                {
                    hasNewToken = true
                    do throws(CallFailure) {
                        try await sender.discard(credential, of: plan)
                    } catch {
                        throw error.about(plan.call, in: environment, attempts: attempts).error
                    }
                } else if try await hasNextKey(after: failure, of: plan, in: environment, keys: &keys) {
                    // Another key is not another attempt.
                    attempt -= 1
                    hasNewToken = false
                } else {
                    try await wait(after: keys.failure(after: failure), attempt: attempt, deadline: plan.deadline)
                }
            }
        }
    }

    /// Whether the app has another key to try after a refused one; reports the refused one.
    private func hasNextKey(
        after failure: CallFailure,
        of plan: CallPlan,
        in environment: AppStoreEnvironment,
        keys: inout KeyTrials
    ) async throws(AppStoreClientError) -> Bool {
        guard let refused = failure.refusedCredential else { return false }
        var hasAnother = false
        if keys.note(failure) {
            do throws(CallFailure) {
                hasAnother = try await sender.hasKey(for: plan, except: keys.refusedKeyIds)
            } catch {
                let attempts = failure.error.attempts
                throw error.about(plan.call, in: environment, attempts: attempts).error
            }
        }
        configuration.onRefusedKey?(
            RefusedKey(
                bundleId: plan.bundleId,
                environment: environment,
                keyId: refused.keyId,
                hasAnotherKey: hasAnother
            )
        )
        return hasAnother
    }

    /// Waits for the next attempt, or throws if there is none.
    private func wait(
        after failure: CallFailure,
        attempt: Int,
        deadline: Int64
    ) async throws(AppStoreClientError) {
        let remaining = deadline.subtractingClamped(clock.monotonicMilliseconds)
        let policy = configuration.retryPolicy
        guard let wait = policy.wait(after: failure, attempt: attempt, remaining: remaining, jitter: jitter()) else {
            throw failure.error
        }
        do {
            try await clock.sleep(milliseconds: wait)
        } catch {
            var cancelled = AppStoreClientError.cancelledCall
            cancelled.call = failure.error.call
            cancelled.environment = failure.error.environment
            cancelled.attempts = failure.error.attempts
            throw cancelled
        }
    }
}

extension CallFailure {
    /// The same failure with its call and environment.
    fileprivate func about(
        _ call: AppStoreServerCall,
        in environment: AppStoreEnvironment,
        attempts: Int
    ) -> CallFailure {
        var failure = self
        failure.error.call = call.name
        failure.error.environment = environment
        failure.error.attempts = attempts
        return failure
    }
}
