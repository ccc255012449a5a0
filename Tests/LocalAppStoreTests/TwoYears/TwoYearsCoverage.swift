import LocalAppStore

/// What occurred in a run.
struct TwoYearsCoverage: Sendable {
    /// The actions that succeeded.
    var actions: Set<String> = []
    /// The notifications, as `TYPE/SUBTYPE`.
    var notifications: Set<String> = []
    /// The faults that occurred, as the place and the name.
    var faults: Set<String> = []
    /// Whether a store that was read from a file equals the one that was written.
    var restartsAreEqual = true
    /// The pairs of signed payloads of one record that have the same date and differ.
    var conflicts: [String] = []

    /// Adds what occurred in another run.
    mutating func formUnion(_ other: TwoYearsCoverage) {
        actions.formUnion(other.actions)
        notifications.formUnion(other.notifications)
        faults.formUnion(other.faults)
        restartsAreEqual = restartsAreEqual && other.restartsAreEqual
        conflicts += other.conflicts
    }

    /// Every fault, as in ``faults``. Realtime requests are never delayed or reordered.
    static let allFaults: Set<String> = {
        var names: Set<String> = ["receipt"]
        for fault in DeliveryFault.examples {
            names.insert("delivery \(fault.name)")
            if fault != .reorder, fault != .delay(.hours(3)) { names.insert("realtime \(fault.name)") }
        }
        for fault in APIFault.examples { names.insert("call \(fault.name)") }
        return names
    }()
}

extension DeliveryFault {
    /// One fault of each kind.
    static let examples: [DeliveryFault] = [
        .drop, .delay(.hours(3)), .duplicate, .reorder, .truncate, .slow(milliseconds: 5), .status(502), .reset,
    ]

    /// The kind. A new kind does not compile here; add it to ``examples`` too.
    var name: String {
        switch self {
        case .drop: "drop"
        case .delay: "delay"
        case .duplicate: "duplicate"
        case .reorder: "reorder"
        case .truncate: "truncate"
        case .slow: "slow"
        case .status: "status"
        case .reset: "reset"
        }
    }
}

extension APIFault {
    /// One fault of each kind.
    static let examples: [APIFault] = [
        .rateLimit(.hours(1)), .serverError(isRetryable: true), .timeout(milliseconds: 5), .malformedBody,
    ]

    /// The kind. A new kind does not compile here; add it to ``examples`` too.
    var name: String {
        switch self {
        case .rateLimit: "rate limit"
        case .serverError: "server error"
        case .timeout: "timeout"
        case .malformedBody: "malformed body"
        }
    }
}
