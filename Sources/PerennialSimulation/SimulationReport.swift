/// What a simulation did and found.
public struct SimulationReport: Sendable {
    /// The options that it ran with.
    public let options: SimulationOptions
    /// The first broken invariant; nil if none.
    public let failure: SimulationFailure?
    /// A number that is equal for equal simulations.
    public let digest: UInt64
    /// What happened, in order.
    public let lines: [String]
    /// The number of actions of customers.
    public let actions: Int
    /// The number of notifications that were acknowledged, repetitions included.
    public let delivered: Int
    /// The number of stored inputs.
    public let inputs: Int
    /// The number of events.
    public let events: Int
    /// The number of commits.
    public let commits: Int
    /// The number of checks of the invariants.
    public let checks: Int
    /// How often each kind of fault happened.
    public let faults: [SimulationOptions.Fault: Int]
}
