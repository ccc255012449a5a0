/// When the store retries a failed renewal.
///
/// Apple publishes no schedule, so the times are an assumption. They are frequent at first and fit into billing retry.
/// No attempt takes place exactly when a grace period or billing retry ends.
enum PaymentAttempts {
    /// The times of the attempts, milliseconds from the end of the period, without the accelerated sandbox.
    private static let offsets: [Int64] = [
        6 * Milliseconds.hour,
        1 * Milliseconds.day,
        2 * Milliseconds.day,
        4 * Milliseconds.day,
        7 * Milliseconds.day,
        10 * Milliseconds.day,
        14 * Milliseconds.day,
        21 * Milliseconds.day,
        30 * Milliseconds.day,
        45 * Milliseconds.day,
        59 * Milliseconds.day,
    ]

    /// The month to which the accelerated sandbox scales the times, milliseconds.
    private static let monthLength = 30 * Milliseconds.day

    /// The numbers of the attempts.
    static var numbers: ClosedRange<Int> { 1...offsets.count }

    /// When an attempt takes place, milliseconds since 1970; `nil` if there is no such attempt.
    ///
    /// - Parameters:
    ///   - number: The number of the attempt, from 1.
    ///   - end: The end of the period whose renewal failed, milliseconds since 1970.
    ///   - pace: The accelerated durations, if the store has them.
    static func time(of number: Int, afterPeriodTo end: Int64, pace: SandboxPace?) -> Int64? {
        guard numbers.contains(number) else { return nil }
        let offset = offsets[number - 1]
        return end + (pace.map { offset * $0.month / monthLength } ?? offset)
    }

    /// When the next attempt takes place whose number is at least the given one, milliseconds since 1970.
    static func nextTime(
        from number: Int,
        after now: Int64,
        afterPeriodTo end: Int64,
        pace: SandboxPace?
    ) -> Int64? {
        numbers.filter { $0 >= number }
            .compactMap { time(of: $0, afterPeriodTo: end, pace: pace) }
            .first { $0 > now }
    }
}

extension LocalAppStore {
    /// Schedules the next event of a subscription in billing retry: the end of the grace period or of billing retry, or
    /// an earlier attempt that succeeds.
    mutating func setRetryTimer(of index: LedgerIndex<Subscription>) {
        guard let end = endOfRetryStage(of: index) else { return }
        var time = end
        if let number = succeedingAttempt(of: index) {
            let periodEnd = ledger[ledger[index].latest].expiresDate ?? now
            let attempt = PaymentAttempts.nextTime(from: number, after: now, afterPeriodTo: periodEnd, pace: pace)
            time = min(attempt ?? end, end)
        }
        setTimer(of: index, to: time)
    }

    /// Charges a renewal in billing retry if the due event of the subscription is an attempt.
    ///
    /// - Returns: Whether the event was an attempt, and not the end of the grace period or of billing retry.
    mutating func makePaymentAttempt(of index: LedgerIndex<Subscription>) -> Bool {
        guard let end = endOfRetryStage(of: index), now < end, let number = succeedingAttempt(of: index) else {
            return false
        }
        let periodEnd = ledger[ledger[index].latest].expiresDate ?? now
        let time = PaymentAttempts.time(of: number, afterPeriodTo: periodEnd, pace: pace) ?? now
        // A new renewal rate of the sandbox moves the attempt.
        if time <= now { recover(index) } else { setRetryTimer(of: index) }
        return true
    }

    /// How long a failed month of a commitment is retried, milliseconds from its end.
    private var committedRetryLength: Int64 { pace?.committedBillingRetry ?? 90 * Milliseconds.day }

    /// The number of the first attempt that succeeds; `nil` if none does.
    private func succeedingAttempt(of index: LedgerIndex<Subscription>) -> Int? {
        let account = ledger[index].account
        return ledger[account].payment == .declined ? ledger[account].recoversAfter : nil
    }

    /// When the grace period ends, or else billing retry; `nil` if the subscription is in neither.
    private func endOfRetryStage(of index: LedgerIndex<Subscription>) -> Int64? {
        switch ledger[index].state {
        case .gracePeriod(let ends): return ends
        case .billingRetry:
            let length = ledger.commitments[index] == nil ? billingRetryLength : committedRetryLength
            return (ledger[ledger[index].latest].expiresDate ?? now) + length
        case .active, .expired, .revoked: return nil
        }
    }
}
