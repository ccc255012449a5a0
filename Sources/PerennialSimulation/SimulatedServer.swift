import AppStoreClient
import AppStoreSigning
import SubscriptionCore
import SubscriptionOperations
import SubscriptionStorage

/// A life of a server: the use cases of `perennial serve`, without HTTP.
final class SimulatedServer: Sendable {
    static let app = AppID(bundleID: SimulatedAppStore.bundleID, environment: .production)

    let process: ServerProcess
    let ingestion: Ingestion
    let granting: Granting
    private let world: SimulatedWorld
    private let time: ServerClock
    private let duePurchases: DuePurchases
    private let polling: StatusPolling
    private let recovery: Recovery
    private let windows: RecoveryWindows

    init(
        _ process: ServerProcess,
        in world: SimulatedWorld,
        store: SimulatedAppStore,
        on base: any SubscriptionDatabase
    ) {
        self.process = process
        self.world = world
        let skew = world.happens(.skew, 0.5) ? world.random(in: -ServerClock.skewMax...ServerClock.skewMax) : 0
        let time = ServerClock(world: world, skew: skew)
        self.time = time
        let database = SimulatedDatabase(base: base, process: process, world: world)
        let verifier = SignedDataVerifier(roots: [store.root], apps: [store.identity])
        let policy = AccessPolicy()
        let api = AppStoreServerAPIClient(
            transport: SimulatedTransport(store: store, process: process, world: world),
            tokens: SimulatedTokens(),
            configuration: .init(hosts: AppStoreHosts(everywhere: "https://store.test")),
            clock: SimulatedClientClock(time: world.time),
            jitter: { Double(world.random(in: 0...999)) / 1_000 }
        )
        let access = AppStoreAccess([
            Self.app: AppStoreAccess.Entry(api: api.app(SimulatedAppStore.bundleID, in: .production))
        ])
        ingestion = Ingestion(database: database, verifier: verifier, policy: policy, time: time)
        granting = Granting(database: database, time: time)
        duePurchases = DuePurchases(
            database: database,
            policy: policy,
            elapsed: { .milliseconds(world.time.now - world.start) }
        )
        polling = StatusPolling(
            database: database,
            verifier: verifier,
            access: access,
            policy: policy,
            settings: PollingSettings(queriesPerSecond: 0),
            time: time,
            realTime: time
        )
        recovery = Recovery(
            database: database,
            ingestion: ingestion,
            verifier: verifier,
            access: access,
            policy: policy,
            settings: RecoverySettings(),
            time: time,
            realTime: time
        )
        windows = RecoveryWindows(database: database, access: access, time: time, recovery: recovery)
    }

    /// Runs the services until the process ends.
    func run() async {
        await withTaskGroup(of: Void.self) { group in
            group.addTask {
                await self.every(.hour) { server async throws(OperationError) in
                    _ = try await server.duePurchases.settle(until: server.time.now())
                }
            }
            group.addTask {
                await self.every(3 * .hour) { server async throws(OperationError) in
                    try await server.polling.settle()
                }
            }
            group.addTask {
                await self.every(6 * .hour) { server async throws(OperationError) in
                    try await server.recovery.settle()
                }
            }
        }
    }

    private func every(
        _ interval: Int64,
        _ work: @Sendable (SimulatedServer) async throws(OperationError) -> Void
    ) async {
        while !process.isDead, !world.isWithoutServices {
            do throws(OperationError) {
                try await work(self)
            } catch {
                noteUnexpected(error)
            }
            await world.time.pause(milliseconds: world.random(in: interval / 2...interval * 3 / 2))
        }
    }

    /// Compares the whole history, and returns the counts of the report; nil if it did not finish.
    func compareEverything() async -> RecoveryWindow.Counts? {
        do {
            let request = RecoveryWindows.Request(
                id: RecoveryWindowID(rawValue: "rw_last"),
                from: Timestamp(milliseconds: world.start),
                to: time.now()
            )
            _ = try await windows.request(request, app: Self.app, by: Operator("simulation"))
            // Another server's run may be under way; its lease ends with it, or expires after 45 seconds.
            for _ in 0..<120 {
                try await recovery.settle()
                let window = try await windows.window(request.id, app: Self.app)
                if window.state == .finished { return window.counts }
                await world.time.pause(milliseconds: .second)
            }
        } catch {
            world.fail(.unexpectedError, "\(error)")
        }
        return nil
    }

    /// Processes what is due.
    func settle() async {
        do throws(OperationError) {
            _ = try await duePurchases.settle(until: time.now())
        } catch {
            world.fail(.unexpectedError, "\(error)")
        }
    }

    /// Fails the simulation if nothing in it can cause an error.
    func noteUnexpected(_ error: OperationError) {
        guard !process.isDead, !error.isRetryable else { return }
        world.fail(.unexpectedError, "\(process.name): \(error) \(error.detail ?? "")")
    }
}

/// The clock of a process. It differs from Apple's by a constant while there are faults.
struct ServerClock: TimeSource {
    /// The largest difference, ahead or behind.
    static let skewMax: Int64 = 20 * .second

    let world: SimulatedWorld
    let skew: Int64

    func now() -> Timestamp { Timestamp(milliseconds: world.time.now + (world.isCalm ? 0 : skew)) }
}
