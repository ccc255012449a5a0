import PerennialPrimitives
import SubscriptionCore
import SubscriptionOperations
import SubscriptionStorage

/// Checks after each commit, and as time passes, what must always be true. It reads the database without faults.
final class InvariantCheck {
    /// A part of what was stored since the last check.
    private struct Stored: Sendable {
        let inputs: [SequencedEvidence]
        let events: [EventRecord]
        /// The owners of the purchases in the inputs.
        let owners: Set<CustomerID>
    }

    private static let pageSize = 200

    private let world: SimulatedWorld
    private let database: any SubscriptionDatabase
    private let executor = SimulatedExecutor()
    private var random: SplitMix64
    private var oracle = EvidenceOracle()
    private var evidence: Set<EvidenceID> = []
    private var signed: Set<[UInt8]> = []
    /// The customers that the inputs and events since the last check are about.
    private var concerned: Set<CustomerID> = []
    private var lastEvidence: Int64 = 0
    private var lastEvent: Int64 = 0
    private var versions: [CustomerID: Int64] = [:]
    private var eventRevenue: Int64 = 0
    private var customer = 0
    private var checkedNotifications = 0

    private(set) var checks = 0
    var inputs: Int { evidence.count }
    var events: Int64 { lastEvent }

    init(in world: SimulatedWorld, on database: any SubscriptionDatabase) {
        self.world = world
        self.database = database
        random = SplitMix64(seed: world.options.seed ^ 0xc4ec)
    }

    /// Checks the inputs and events since the last check, their customers, what was acknowledged, and one more customer
    /// in turn: access changes by time alone too.
    func check(_ acknowledged: Acknowledged) throws {
        checks += 1
        try takeNew()
        for id in acknowledged.notifications[checkedNotifications...] where !evidence.contains(id) {
            world.fail(.acknowledgedAndLost, "\(id) was acknowledged and is not stored")
        }
        checkedNotifications = acknowledged.notifications.count
        if let revenue = oracle.revenue, eventRevenue != revenue {
            world.fail(.revenueDiffers, "the events sum up to \(eventRevenue), the transactions to \(revenue)")
        }
        customer = (customer + 1) % world.options.customers
        concerned.insert(CustomerID("a\(customer)"))
        for id in concerned.sorted() { try check(id.rawValue, acknowledged) }
        concerned = []
    }

    /// The sum of all events, thousandths of the currency unit.
    var revenue: Int64 { eventRevenue }

    /// What the server says about a customer now; nil if it knows none.
    func view(of customer: String) throws -> CustomerView? {
        let time = ServerClock(world: world, skew: 0)
        let reading = CustomerReading(
            database: CheckedDatabase(base: database, executor: executor),
            policy: AccessPolicy(),
            time: time
        )
        return try value { () async throws -> CustomerView? in
            do throws(OperationError) {
                return try await reading.customer(CustomerID(customer), of: SimulatedServer.app)
            } catch  where error.code == "customer_not_found" {
                return nil
            }
        }
    }

    private func check(_ customer: String, _ acknowledged: Acknowledged) throws {
        let view = try view(of: customer)
        let states =
            (view?.subscriptions ?? []).map { ($0.id.rawValue, $0.givesAccess) }
            + (view?.purchases ?? []).map { ($0.id.rawValue, $0.givesAccess) }
        let lost = acknowledged.purchases[customer, default: []].subtracting(states.map(\.0))
        if !lost.isEmpty {
            world.fail(.acknowledgedAndLost, "\(customer) submitted \(lost.sorted()) and does not have it")
        }
        checkGrants(of: customer, view, acknowledged.grants[customer, default: [:]])
        guard let now = view?.evaluatedAt.milliseconds else { return }
        for (id, givesAccess) in states {
            let lead: Int64 = world.options.faults.contains(.early) ? .day : 0
            if givesAccess, !oracle.mayGiveAccess(id, at: now, lead: lead) {
                world.fail(.accessWithoutEvidence, "\(customer) has access by \(id), and nothing signed gives it")
            }
            // The clock of the server that evaluated it last may be ahead.
            let skew = world.options.faults.contains(.skew) ? ServerClock.skewMax : 0
            let isPaid = [now, now + skew].allSatisfy { oracle.mustGiveAccess(id, at: $0) }
            if !givesAccess, isPaid {
                world.fail(.accessTaken, "\(customer) has no access by \(id), although the period is paid")
            }
        }
    }

    /// Compares the entitlement that only grants give with the grants that the operator knows.
    private func checkGrants(of customer: String, _ view: CustomerView?, _ grants: [GrantID: SimulatedGrant]) {
        let now = world.time.now
        let entitlements = view?.entitlements ?? []
        let hasAccess = entitlements.contains { $0.id == SimulatedGrant.entitlement && $0.isActive }
        let skew = world.options.faults.contains(.skew) ? ServerClock.skewMax : 0
        if hasAccess, !grants.values.contains(where: { $0.mayGiveAccess(at: now, skew: skew) }) {
            world.fail(.accessWithoutEvidence, "\(customer) has a granted entitlement, and no grant gives it")
        }
        if !hasAccess, grants.values.contains(where: { $0.mustGiveAccess(at: now) }) {
            world.fail(.accessTaken, "\(customer) has no granted entitlement, although a grant runs")
        }
    }

    private func takeNew() throws {
        while true {
            let (inputsAfter, eventsAfter) = (lastEvidence, lastEvent)
            let new = try read { storage throws(StorageError) -> Stored in
                let inputs = try storage.evidence(of: SimulatedServer.app, after: inputsAfter, limit: Self.pageSize)
                let events = try storage.events(of: SimulatedServer.app, after: eventsAfter, limit: Self.pageSize)
                var owners: Set<CustomerID> = []
                for purchase in Set(inputs.compactMap(\.record.purchaseID)) {
                    let record = try storage.purchase(purchase, of: SimulatedServer.app)
                    if let owner = record?.customerID { owners.insert(owner) }
                }
                return Stored(inputs: inputs, events: events, owners: owners)
            }
            for input in new.inputs { try take(input) }
            for event in new.events { take(event) }
            concerned.formUnion(new.owners)
            if max(new.inputs.count, new.events.count) < Self.pageSize { return }
        }
    }

    private func take(_ input: SequencedEvidence) throws {
        if !evidence.insert(input.record.id).inserted {
            world.fail(.storedTwice, "\(input.record.id) is stored twice")
        } else if !signed.insert(input.record.signedBytes).inserted {
            world.fail(.storedTwice, "the bytes of \(input.record.id) are stored under another identifier too")
        }
        try oracle.take(input.record.signedBytes)
        lastEvidence = input.sequence
    }

    private func take(_ record: EventRecord) {
        if record.sequence != lastEvent + 1 {
            world.fail(.eventsOutOfOrder, "event \(record.sequence) follows \(lastEvent)")
        }
        lastEvent = record.sequence
        eventRevenue += record.event.price?.milliunits ?? 0
        guard let customer = record.customerID else { return }
        concerned.insert(customer)
        guard let version = record.stateVersion else { return }
        if let previous = versions[customer], version < previous {
            world.fail(.eventsOutOfOrder, "\(customer) goes from version \(previous) back to \(version)")
        }
        versions[customer] = version
    }

    private func read<Value: Sendable>(
        _ body: @escaping @Sendable (any StorageReading) throws(StorageError) -> Value
    ) throws -> Value {
        let database = CheckedDatabase(base: database, executor: executor)
        return try value { try await database.read(body) }
    }

    /// Does work while the simulation stands still.
    private func value<Value: Sendable>(_ work: @escaping @Sendable () async throws -> Value) throws -> Value {
        let awaited = Awaited<Result<Value, any Error>>()
        Task(executorPreference: executor) {
            let result: Result<Value, any Error>
            do { result = .success(try await work()) } catch { result = .failure(error) }
            awaited.set(result)
        }
        while true {
            if let result = awaited.get() { return try result.get() }
            guard executor.runOne(choosingWith: &random) else { break }
        }
        throw SimulationFailure(invariant: .standstill, message: "a check does not end", day: 0)
    }
}

/// The database without faults, on the executor of the checks.
private struct CheckedDatabase: SubscriptionDatabase {
    let base: any SubscriptionDatabase
    let executor: SimulatedExecutor

    var commits: CustomerCommits? { nil }

    func read<Result: Sendable>(
        _ body: @escaping @Sendable (any StorageReading) throws(StorageError) -> Result
    ) async throws(StorageError) -> Result {
        try await executor.outside { () async throws(StorageError) in try await base.read(body) }
    }

    func write<Result: Sendable>(
        _ body: @escaping @Sendable (any StorageWriting) throws(StorageError) -> Result
    ) async throws(StorageError) -> Result {
        try await executor.outside { () async throws(StorageError) in try await base.write(body) }
    }

    func close() async throws(StorageError) {}
}
