/// The faults between the store and the server with `--faults`: every fault of the store, at random.
///
/// The probabilities give a fault in two of five attempts. All six attempts of Apple's retry schedule fail for one
/// notification in twenty million. The demo does not recover a notification that is lost permanently.
struct DemoFaults: Encodable, Sendable {
    /// A rule of `PUT /_store/faults`.
    struct Rule: Encodable, Sendable {
        var fault: String
        var probability: Double?
        /// The delay on the virtual clock, as an ISO 8601 duration.
        var by: String?
        /// The delay in real time.
        var milliseconds: Int?
        var status: Int?
        /// How many times the fault occurs, instead of a probability.
        var count: Int?
        /// The only call of Apple's API that has the fault.
        var endpoint: String?
    }

    /// Apple's name of the call that extends one subscription.
    static let extensionCall = "extendSubscriptionRenewalDate"

    let seed: Int64?
    let deliveries: [Rule]
    let api: [Rule]

    /// No faults.
    static let none = DemoFaults(seed: nil, deliveries: [], api: [])

    /// All faults, equal for equal seeds.
    static func every(seed: UInt64) -> DemoFaults {
        DemoFaults(
            seed: Int64(bitPattern: seed),
            deliveries: [
                Rule(fault: "drop", probability: 0.02),
                Rule(fault: "truncate", probability: 0.02),
                Rule(fault: "reset", probability: 0.02),
                Rule(fault: "status", probability: 0.05, status: 503),
                Rule(fault: "slow", probability: 0.005, milliseconds: 20),
                Rule(fault: "delay", probability: 0.05, by: "PT5H"),
                Rule(fault: "reorder", probability: 0.1),
                Rule(fault: "duplicate", probability: 0.15),
            ],
            api: [
                Rule(fault: "rate_limit", probability: 0.05),
                Rule(fault: "server_error", probability: 0.05),
                Rule(fault: "timeout", probability: 0.02, milliseconds: 20),
                Rule(fault: "malformed_body", probability: 0.05),
            ]
        )
    }

    /// These faults, and before them failures of calls that end by themselves.
    func failing(_ calls: [Rule]) -> DemoFaults {
        DemoFaults(seed: seed, deliveries: deliveries, api: calls + api)
    }
}

extension DemoFaults.Rule {
    /// Apple is busy when an order for all subscribers of a product is made.
    static let busyOrder = DemoFaults.Rule(
        fault: "rate_limit",
        count: 1,
        endpoint: "extendSubscriptionRenewalDatesForAllActiveSubscribers"
    )

    /// The next calls that extend a subscription fail: some without effect, some because Apple is busy, and some only
    /// lose their answer.
    static func extensionFailures(_ number: Int) -> [DemoFaults.Rule] {
        let faults = ["server_error", "rate_limit", "malformed_body"]
        return faults.enumerated().compactMap { position, fault in
            let count = (number + faults.count - 1 - position) / faults.count
            guard count > 0 else { return nil }
            return DemoFaults.Rule(fault: fault, count: count, endpoint: DemoFaults.extensionCall)
        }
    }
}

/// The used part of `GET /_store/faults`.
struct LedgerFaults: Decodable, Sendable {
    struct Rule: Decodable, Sendable {
        let fault: String
        /// The number of occurrences.
        let happened: Int
        /// The only call of Apple's API that has the fault.
        let endpoint: String?
    }

    let deliveries: [Rule]
    let api: [Rule]
}
