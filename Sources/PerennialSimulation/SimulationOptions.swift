/// What a simulation consists of. Equal options give the same simulation.
public struct SimulationOptions: Hashable, Sendable {
    /// A kind of fault.
    public enum Fault: String, Hashable, Sendable, CaseIterable {
        /// A server stops at any await, and another process takes its place.
        case crash
        /// A request, a response or a notification is lost.
        case loss
        /// A response or a notification arrives late.
        case delay
        /// A notification arrives twice.
        case duplicate
        /// The database refuses a transaction, or does not say whether it was committed.
        case disk
        /// Apple's API answers with 401, 429, 500, half a body or not at all, for minutes or hours. Or it no longer
        /// accepts a page token.
        case api
        /// A server's clock differs from Apple's.
        case skew
        /// A renewal is charged up to a day before the end of the period.
        case early
    }

    /// Determines everything that is random.
    public var seed: UInt64
    /// The number of virtual days in which customers act; two days follow in which everything settles.
    public var days: Int
    /// The number of customers.
    public var customers: Int
    /// The number of servers.
    public var servers: Int
    /// The faults that occur.
    public var faults: Set<Fault>
    /// The maximum number of actions of customers; nil for no maximum.
    public var actionsMax: Int?

    /// Makes options; the default is a month with four customers, two servers and all faults.
    public init(
        seed: UInt64,
        days: Int = 30,
        customers: Int = 4,
        servers: Int = 2,
        faults: Set<Fault> = Set(Fault.allCases),
        actionsMax: Int? = nil
    ) {
        self.seed = seed
        self.days = max(1, days)
        self.customers = max(1, customers)
        self.servers = max(1, servers)
        self.faults = faults
        self.actionsMax = actionsMax
    }

    /// The options of the command that repeats the simulation.
    public var arguments: String {
        var text = "--seed \(seed) --days \(days) --customers \(customers) --servers \(servers)"
        let absent = Fault.allCases.filter { !faults.contains($0) }
        if !absent.isEmpty { text += " --without \(absent.map(\.rawValue).joined(separator: ","))" }
        if let actionsMax { text += " --actions \(actionsMax)" }
        return text
    }
}
