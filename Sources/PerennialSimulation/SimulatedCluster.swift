import AppStoreModel
import LocalAppStore
import SubscriptionCore
import SubscriptionOperations
import SubscriptionStorage
import Synchronization

/// The servers of one database, and the network before them.
final class SimulatedCluster: Sendable {
    private struct State {
        var servers: [Int: SimulatedServer] = [:]
        var started = 0
        var acknowledged = Acknowledged()
    }

    private let world: SimulatedWorld
    private let store: SimulatedAppStore
    private let database: any SubscriptionDatabase
    private let state = Mutex(State())

    init(in world: SimulatedWorld, store: SimulatedAppStore, on database: any SubscriptionDatabase) {
        self.world = world
        self.store = store
        self.database = database
    }

    var acknowledged: Acknowledged { state.withLock { $0.acknowledged } }

    /// Starts the servers. A server that crashes is started again after a while.
    func start() {
        for slot in 0..<world.options.servers {
            world.spawn {
                while !self.world.isWithoutServices {
                    let server = self.makeServer(slot)
                    await server.run()
                    self.state.withLock { $0.servers[slot] = nil }
                    let isLong = self.world.random(in: 0...9) == 0
                    await self.world.time.pause(milliseconds: self.world.random(in: 1...(isLong ? 2 * .day : .hour)))
                }
            }
        }
    }

    private func makeServer(_ slot: Int) -> SimulatedServer {
        let number = state.withLock { state in
            state.started += 1
            return state.started
        }
        let process = ServerProcess("server \(number)", in: world)
        let server = SimulatedServer(process, in: world, store: store, on: database)
        world.note("\(process.name) started")
        state.withLock { $0.servers[slot] = server }
        return server
    }

    /// A server that runs; nil if there is none.
    func anyServer() -> SimulatedServer? {
        let servers = state.withLock { state in
            state.servers.sorted { $0.key < $1.key }.map(\.value).filter { !$0.process.isDead }
        }
        return world.pick(servers)
    }

    /// Delivers the notifications that are due, each on its own way.
    func deliver() {
        for delivery in store.newDeliveries() {
            world.spawn {
                let result = await self.deliver(delivery)
                self.world.note("attempt \(delivery.attempt) of \(delivery.notificationUUID): \(result.rawValue)")
                do {
                    try self.store.record(result, of: delivery.notificationUUID)
                } catch {
                    self.world.fail(.standstill, "\(error)")
                }
            }
        }
    }

    private func deliver(_ delivery: Delivery) async -> SendAttemptResult {
        let bytes = Array(delivery.signedPayload.utf8)
        await world.time.pause(milliseconds: world.random(in: 20...500))
        if world.happens(.loss, 0.08) { return .timedOut }
        if world.happens(.delay, 0.1) { await world.time.pause(milliseconds: world.random(in: .second...3 * .hour)) }
        if world.happens(.duplicate, 0.05) {
            world.spawn {
                await self.world.time.pause(milliseconds: self.world.random(in: 0...(.hour)))
                _ = await self.hand(bytes)
            }
        }
        let result = await hand(bytes)
        if world.happens(.loss, 0.03) { return .timedOut }
        return result
    }

    /// Hands a notification to one of the servers.
    private func hand(_ bytes: [UInt8]) async -> SendAttemptResult {
        guard let server = anyServer() else { return .noResponse }
        do throws(OperationError) {
            let outcome = try await server.ingestion.takeNotification(bytes)
            if server.process.isDead { return .prematureClose }
            acknowledge(outcome)
            return .success
        } catch {
            server.noteUnexpected(error)
            return server.process.isDead ? .prematureClose : .unsuccessfulHTTPResponseCode
        }
    }

    private func acknowledge(_ outcome: Ingestion.Outcome) {
        switch outcome {
        case .taken(let id), .duplicate(let id):
            state.withLock { $0.acknowledged.notifications.append(id) }
        }
    }

    /// Sends the signed transaction of a purchase from a customer's app until a server acknowledges it.
    func submit(_ transaction: String, of purchase: String, for customer: String) async {
        let isAcknowledged = await request(before: .max) { server throws(OperationError) in
            try await server.ingestion.submit(
                signedTransaction: Array(transaction.utf8),
                claimant: Claimant(CustomerID(customer)),
                app: SimulatedServer.app
            )
        }
        guard isAcknowledged else { return }
        state.withLock { _ = $0.acknowledged.purchases[customer, default: []].insert(purchase) }
    }

    /// Gives a customer a grant and, after a while, revokes it.
    ///
    /// - Parameter pause: The time until it is revoked, milliseconds; nil if it is not.
    func grant(_ wanted: SimulatedGrant, to customer: String, revokingAfter pause: Int64?) async {
        var grant = wanted
        let (id, end) = (grant.id, grant.endsAt)
        note(grant, of: customer)
        grant.isAcknowledged = await request(before: end) { server throws(OperationError) in
            _ = try await server.granting.grant(
                id,
                of: SimulatedGrant.entitlement,
                to: CustomerID(customer),
                app: SimulatedServer.app,
                until: .at(Timestamp(milliseconds: end)),
                reason: nil,
                by: Operator("simulation")
            )
        }
        note(grant, of: customer)
        guard grant.isAcknowledged, let pause else { return }
        await world.time.pause(milliseconds: pause)
        grant.isBeingRevoked = true
        note(grant, of: customer)
        let isRevoked = await request(before: end) { server throws(OperationError) in
            _ = try await server.granting.revoke(
                id,
                of: CustomerID(customer),
                app: SimulatedServer.app,
                by: Operator("simulation")
            )
        }
        guard isRevoked else { return }
        grant.revokedAt = world.time.now
        note(grant, of: customer)
    }

    private func note(_ grant: SimulatedGrant, of customer: String) {
        state.withLock { $0.acknowledged.grants[customer, default: [:]][grant.id] = grant }
    }

    /// Sends a request until a server acknowledges it. A repeated request must have no further effect.
    ///
    /// - Returns: False if no server acknowledged it before a time.
    private func request(
        before end: Int64,
        _ work: @Sendable (SimulatedServer) async throws(OperationError) -> Void
    ) async -> Bool {
        // A minute is more than the difference of a server's clock.
        while !world.isWithoutServices, world.time.now + .minute < end {
            await world.time.pause(milliseconds: world.random(in: 50...2_000))
            if !world.happens(.loss, 0.1), let server = anyServer() {
                do throws(OperationError) {
                    try await work(server)
                    if !server.process.isDead { return true }
                } catch {
                    // A commit whose outcome is unknown is a fault of the simulation.
                    if error.code != "outcome_unknown" { server.noteUnexpected(error) }
                }
            }
            await world.time.pause(milliseconds: world.random(in: .minute...8 * .hour))
        }
        return false
    }
}
