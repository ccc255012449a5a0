import SubscriptionCore
import SubscriptionStorage

extension RecoveryProgress: SampledRecord {
    static func sample(_ number: Int) -> RecoveryProgress {
        RecoveryProgress(
            sweptUntil: number.isMultiple(of: 2) ? nil : Samples.time(Int64(number)),
            comparedUntil: number.isMultiple(of: 3) ? nil : Samples.time(Int64(number)),
            quietSince: number.isMultiple(of: 5) ? nil : Samples.time(Int64(number)),
            missingFrom: number.isMultiple(of: 4) ? nil : Samples.time(Int64(number)),
            missingUntil: number.isMultiple(of: 4) ? nil : Samples.time(Int64(number) + 1)
        )
    }
}

extension RecoveryWindow: SampledRecord {
    static func sample(_ number: Int) -> RecoveryWindow {
        var window = RecoveryWindow(
            id: RecoveryWindowID(rawValue: "rw_\(number % 17)"),
            createdAt: Samples.time(Int64(number % 4)),
            from: Samples.time(Int64(number % 3)),
            to: Samples.time(Int64(number)),
            onlyFailures: number.isMultiple(of: 2),
            reason: number.isMultiple(of: 3) ? .start : .request
        )
        window.page = number.isMultiple(of: 4) ? nil : "Sandbox:page \(number)"
        window.counts.sent = number
        window.counts.held = number % 5
        window.counts.recovered = number % 7
        window.counts.retrying = number % 2
        window.counts.refused = number % 3
        window.counts.missing = number % 11
        if number % 3 > 0 { window.problems = ["signature_invalid": number % 3, "payload_malformed": 1] }
        window.recoveredBefore = number % 13
        window.restarts = number % 2
        window.failures = number % 6
        if number.isMultiple(of: 5) {
            window.retryAt = Samples.time(Int64(number))
            window.failure = StoredFailure(code: "app_store_unavailable", message: "It did not answer.")
        }
        if number.isMultiple(of: 4) {
            window.state = .finished
            window.finishedAt = Samples.time(Int64(number))
        }
        return window
    }
}
