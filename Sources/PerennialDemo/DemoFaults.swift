/// What goes wrong between the store and the server under `--faults`: every fault that the store has, each now and
/// then.
///
/// The chances are such that a notification meets a fault in two of five attempts, and that all six attempts of Apple's
/// ladder are lost for one in twenty million: what was lost for good has to be asked for, which the demo does not do.
struct DemoFaults: Encodable, Sendable {
    /// A rule of `PUT /_store/faults`.
    struct Rule: Encodable, Sendable {
        var fault: String
        var probability: Double
        /// How much later on the virtual clock, as an ISO 8601 duration.
        var by: String?
        /// How much later in real time.
        var milliseconds: Int?
        var status: Int?
    }

    let seed: Int64?
    let deliveries: [Rule]
    let api: [Rule]

    /// Nothing goes wrong.
    static let none = DemoFaults(seed: nil, deliveries: [], api: [])

    /// Everything goes wrong, the same for the same seed.
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
}

/// `GET /_store/faults`, the part that is told.
struct LedgerFaults: Decodable, Sendable {
    struct Rule: Decodable, Sendable {
        let fault: String
        /// How many times it struck.
        let happened: Int
    }

    let deliveries: [Rule]
}
