import SubscriptionCore
public import SubscriptionStorage

extension RefundRequest {
    /// The policy or the developer's backend decided.
    mutating func noteDecision(
        _ decision: ConsumptionDecision,
        facts: ConsumptionFacts,
        hookProblem: OperationError?
    ) {
        self.facts = facts
        answer = decision.sentAnswer
        rule = decision.rule
        failure = hookProblem.map { StoredFailure(code: $0.code, message: $0.message) }
    }

    /// Something was reported about the purchase: the request is decided again, at once.
    mutating func noteReport(consents: Bool?, at now: Timestamp) {
        // The developer's backend is asked again, because it decides by the report too.
        (checkAt, isAnsweredByHook) = (now, false)
        if consents == true, failure?.code == Self.noConsent { failure = nil }
    }

    /// Apple has the answer.
    mutating func noteSent(version: Int, at now: Timestamp) {
        (state, settledAt, checkAt) = (.answered, now, nil)
        self.version = version
        if failure?.code != "hook_failed" { failure = nil }
    }

    /// Apple refused the answer.
    mutating func noteRefusal(_ error: OperationError, at now: Timestamp) {
        (state, settledAt, checkAt) = (.refused, now, nil)
        failure = StoredFailure(code: error.code, message: error.message)
    }

    /// The answer could not be sent.
    mutating func noteFailure(_ error: OperationError, next: Timestamp) {
        attempts += 1
        checkAt = next
        failure = StoredFailure(code: error.code, message: error.message)
    }

    /// Nothing is sent. Without consent the request waits until its time is over, because consent may still come.
    ///
    /// - Parameter isPolicyKnown: Whether the server has a policy.
    mutating func noteWithheld(_ reason: ConsumptionDecision.Reason, isPolicyKnown: Bool, at now: Timestamp) {
        failure = reason.explained(isPolicyKnown: isPolicyKnown)
        guard reason != .noConsent else {
            checkAt = dueBy
            return
        }
        (state, settledAt, checkAt) = (.withheld, now, nil)
    }

    /// When the answer is tried again after a failure: after 1 minute, then after twice as long each time, up to half
    /// an hour, and once more shortly before the time is over.
    func nextTry(after now: Timestamp) -> Timestamp {
        let pause: Int64 = min(60_000 << Int64(min(attempts, 10)), 1_800_000)
        let last = dueBy.adding(milliseconds: -120_000)
        return min(now.adding(milliseconds: pause), now < last ? last : dueBy)
    }

    /// It arrived when the time for an answer was over.
    mutating func noteTooLate(at now: Timestamp) {
        (state, settledAt, checkAt) = (.expired, now, nil)
        failure = StoredFailure(
            code: "deadline_passed",
            message: "Apple takes an answer for 12 hours, and this server heard of the request later."
        )
    }

    /// Apple decided. An answer that was not sent yet is of no use any more.
    ///
    /// - Parameter time: When Apple decided.
    mutating func noteDecision(_ outcome: Outcome, at time: Timestamp) {
        (self.outcome, decidedAt) = (outcome, time)
        guard state == .waiting else { return }
        let waitsForConsent = failure?.code == Self.noConsent && checkAt == dueBy
        (settledAt, checkAt) = (time, nil)
        // After a report the request is due, and an answer may be under way.
        guard !waitsForConsent else {
            (state, failure) = (.withheld, Self.consentMissed)
            return
        }
        state = .expired
        failure = StoredFailure(
            code: Self.decidedFirst,
            message: "Apple decided before this server had sent an answer."
        )
    }

    /// The time for an answer is over.
    mutating func noteExpiry(at now: Timestamp) {
        guard state == .waiting else { return }
        (settledAt, checkAt) = (now, nil)
        guard failure?.code != Self.noConsent else {
            (state, failure) = (.withheld, Self.consentMissed)
            return
        }
        state = .expired
        let last = failure.map { " The last try failed: \($0.message)" } ?? ""
        failure = StoredFailure(
            code: "deadline_passed",
            message: "Apple takes an answer for 12 hours, and they are over.\(last)"
        )
    }

    /// Takes over what was decided, unless the request got a result meanwhile. What was sent counts in any case.
    ///
    /// - Parameter taken: The time until which the server had taken it. Another time means that something changed
    ///   meanwhile: a report came, the owner changed, or another server took it. Then only what was sent counts.
    mutating func copyAnswer(of decided: RefundRequest, takenUntil taken: Timestamp?) {
        let isSent = decided.state == .answered
        let isTaken = state == .waiting && checkAt == taken
        let wasTooLate = state == .expired && failure?.code == Self.decidedFirst
        guard isTaken || isSent && (state == .waiting || wasTooLate) else { return }
        let (outcome, decidedAt, facts) = (self.outcome, self.decidedAt, self.facts)
        self = decided
        (self.outcome, self.decidedAt) = (outcome, decidedAt)
        // They may be about an earlier owner.
        if !isTaken, !wasTooLate { self.facts = facts }
    }

    /// Why there is no answer, or why the developer's backend was not used, with what the server does next.
    public var explainedFailure: StoredFailure? {
        guard let failure else { return nil }
        let triesAgain = state == .waiting && attempts > 0 && checkAt.map { $0 < dueBy } == true
        guard triesAgain else { return failure }
        return StoredFailure(code: failure.code, message: "\(failure.message) The server tries again.")
    }

    /// The code of a request that Apple decided before it had an answer.
    static let decidedFirst = "decided_before_answer"
    /// The code of a request about which nothing is sent without the customer's consent.
    fileprivate static let noConsent = "no_consent"
    private static let consentMissed = StoredFailure(
        code: noConsent,
        message: "No consent of the customer to send Apple consumption data was recorded in time, so nothing was sent."
    )
}

extension OperationError {
    /// The same failure of the developer's backend, with the consent that the policy lacks to answer instead.
    func beside(_ reason: ConsumptionDecision.Reason) -> OperationError {
        guard reason == .noConsent else { return self }
        let consent = "No consent of the customer is recorded, so the policy sends nothing instead."
        return OperationError(code, "\(message) \(consent)", kind: kind)
    }

    /// The same failure of a try to send an answer, which the server repeats by itself.
    ///
    /// - Parameter request: What the answer is about; the log names it.
    func repeated(about request: RefundRequest) -> OperationError {
        let text =
            switch code {
            case "app_store_unavailable" where isRepeatAsked: "The App Store asked to try again."
            case "app_store_unavailable": "The App Store Server API did not answer."
            case "app_store_rate_limited": "Apple's limit for this call is reached."
            case "app_store_busy": "As many requests as this server allows were waiting for the App Store."
            default: message
            }
        var error = OperationError(code, text, kind: kind, isRetryable: isRetryable, detail: detail)
        error.logged = ["purchase_id": request.purchaseID.rawValue, "transaction_id": request.transactionID.rawValue]
        return error
    }
}

extension ConsumptionDecision.Reason {
    fileprivate func explained(isPolicyKnown: Bool) -> StoredFailure {
        switch self {
        case .noConsent:
            StoredFailure(
                code: RefundRequest.noConsent,
                message: "No consent of the customer to send Apple consumption data is recorded, so nothing is sent. "
                    + "If the customer agrees, report it with PUT /v1/purchases/{id}/consumption within 12 hours after "
                    + "the request."
            )
        case .policy where !isPolicyKnown:
            StoredFailure(
                code: "no_policy",
                message: "This server has no policy for refund requests, so nothing is sent. Set "
                    + "consumption.policy_file."
            )
        case .policy:
            StoredFailure(code: "policy_no_answer", message: "The policy says that nothing is sent.")
        case .shared:
            StoredFailure(
                code: "purchase_shared",
                message: "Somebody else paid for this purchase. Apple takes no consumption data about it."
            )
        }
    }
}
