import AppStoreModel
import AppStoreSigning
import HTTPTypes
import LocalAppStore
import Logging
import ServiceLifecycle

/// Owns the engine and coordinates every access to the store.
///
/// ``read(_:)`` reads or changes something without notifications and never waits. ``perform(_:)`` executes commands
/// that cause notifications, one at a time and in order of arrival. A command returns after its notifications are
/// delivered and every follower has caught up. Reads run between the steps of a command, so a follower can query the
/// store while the store waits for it.
actor StoreCoordinator {
    /// The maximum number of waiting commands.
    static let waitingMax = 10_000

    private(set) var store: LocalAppStore
    var followers: FollowerRegistry
    var snapshots: SnapshotList
    var clientKeys: ClientKeys
    var drive = ClockDrive()

    let deliverer: any NotificationDeliverer
    let caller: any FollowerCaller
    let realtimeCaller: any RealtimeCaller
    let keyring: ClientKeyring
    let timeouts: FollowerTimeouts
    let logger: Logger
    let realTime: any RealTimeSource
    /// The real time, seconds since 1970: the developer's clock.
    let realSeconds: @Sendable () -> Int64
    /// The speed of the clock at the start.
    let clockSpeed: Int64

    /// The state that ``reset()`` restores.
    let origin: LocalAppStore

    /// Signals that the clock was started.
    let clockStarts: AsyncStream<Void>
    let announceClockStart: AsyncStream<Void>.Continuation

    /// The current deliveries.
    var round: DeliveryRound?

    private var isBusy = false
    private var waiting: [CheckedContinuation<Void, Never>] = []

    /// Makes the coordinator of a state.
    ///
    /// - Parameter firstKey: The developer's first key.
    init(
        state: CoordinatorState,
        firstKey: InAppPurchaseKey,
        deliverer: any NotificationDeliverer,
        caller: any FollowerCaller,
        realtimeCaller: any RealtimeCaller,
        timeouts: FollowerTimeouts,
        realTime: any RealTimeSource,
        realSeconds: @escaping @Sendable () -> Int64,
        clockSpeed: Int64,
        logger: Logger
    ) {
        store = state.store
        origin = state.origin
        followers = state.followers
        snapshots = state.snapshots
        clientKeys = state.clientKeys ?? ClientKeys(firstKey, at: state.origin.now)
        keyring = ClientKeyring(clientKeys.active)
        (clockStarts, announceClockStart) = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(1))
        self.realTime = realTime
        self.realSeconds = realSeconds
        self.clockSpeed = clockSpeed
        drive.run(atSpeed: clockSpeed, from: realTime.milliseconds())
        self.deliverer = deliverer
        self.caller = caller
        self.realtimeCaller = realtimeCaller
        self.timeouts = timeouts
        self.logger = logger
    }

    /// The changes since the last call with this recorder that a restart must restore.
    ///
    /// Made in one step inside the actor. A separate copy of the store would force the next command to copy what it
    /// changes.
    func entry(_ recorder: StoreRecorder, isClosed: Bool) throws -> StoreEntry {
        try recorder.entry(
            with: CoordinatorRecord(
                isClosed: isClosed,
                store: store,
                followers: followers,
                snapshots: snapshots,
                clientKeys: clientKeys.isInitial ? nil : clientKeys
            )
        )
    }

    /// Reads the engine, or makes a change without notifications, at once.
    func read<Answer: Sendable, Failure: Error>(
        _ question: @Sendable (inout LocalAppStore) throws(Failure) -> Answer
    ) throws(Failure) -> Answer {
        if !isBusy { advanceToPresent() }
        updateDeveloperTime()
        // After the endpoint was removed or replaced, the current round ends.
        defer { if let round, round.url != store.notificationURL { round.end() } }
        return try question(&store)
    }

    /// Executes a command, delivers its notifications, and waits for the followers.
    ///
    /// A refused command also delivers pending notifications of other calls: see ``performForApple(_:)``.
    ///
    /// - Throws: What the command throws; `store_busy`, `store_stopping`.
    func perform<Answer: Sendable>(
        _ command: @Sendable (inout LocalAppStore) throws -> Answer
    ) async throws -> Answer {
        try await exclusively {
            var tally = AdvanceReport()
            try await runUntilPresent(&tally)
            updateDeveloperTime()
            let answer = try command(&store)
            try await catchUp(&tally)
            return answer
        }
    }

    /// Executes a call of Apple's API that causes notifications, and delivers them.
    ///
    /// While another command is running, the call returns at once, and that command delivers the notifications even if
    /// it fails. So a follower may call the API while the store waits for it. Apple's own calls are asynchronous too.
    func performForApple<Answer: Sendable>(
        _ command: @Sendable (inout LocalAppStore) throws -> Answer
    ) async throws -> Answer {
        guard isBusy else { return try await perform(command) }
        updateDeveloperTime()
        return try command(&store)
    }

    /// Restarts at the start time with no purchases, no endpoint and no followers.
    ///
    /// - Returns: The removed notification URL, and the settle URLs of the removed followers.
    func reset() async throws -> (notificationURL: String?, followers: [String]) {
        try await exclusively {
            let forgotten = (notificationURL: store.notificationURL, followers: followers.followers.map(\.settleURL))
            store = origin
            useClientKeys()
            drive.run(atSpeed: clockSpeed, from: realTime.milliseconds())
            followers.removeAll()
            return forgotten
        }
    }

    /// Continues from another state of the store, with the notification endpoint of the current one.
    func goOn(from other: LocalAppStore) {
        let present = store
        store = other
        store.takeNotificationEndpoint(from: present)
        useClientKeys()
    }

    /// Accepts tokens and signatures of offers by the active keys and no others.
    func useClientKeys() {
        keyring.replace(with: clientKeys.active)
        store.acceptSignatures(by: clientKeys.active.map(\.publicKey))
    }

    /// Runs one command at a time.
    func exclusively<Answer: Sendable>(_ body: () async throws -> Answer) async throws -> Answer {
        if isBusy {
            guard waiting.count < Self.waitingMax else {
                throw StoreCallError(
                    .serviceUnavailable,
                    code: "store_busy",
                    message: "\(Self.waitingMax) commands are already waiting: send fewer concurrently"
                )
            }
            await withCheckedContinuation { waiting.append($0) }
        } else {
            isBusy = true
        }
        defer { passOn() }
        try checkRunning()
        do {
            return try await body()
        } catch {
            await deliverLeftovers()
            throw error
        }
    }

    /// Delivers what a failed command left.
    ///
    /// What cannot be delivered now stays due until the next command.
    private func deliverLeftovers() async {
        guard !dueDeliveries().isEmpty else { return }
        do {
            try checkRunning()
            var tally = AdvanceReport()
            try await catchUp(&tally)
        } catch {
            logger.notice("notifications stay due: the store could not send them", metadata: ["error": "\(error)"])
        }
    }

    /// Resumes the command that has waited longest.
    private func passOn() {
        if waiting.isEmpty { isBusy = false } else { waiting.removeFirst().resume() }
    }

    /// Whether no stop was requested.
    var mayGoOn: Bool { !Task.isCancelled && !Task.isShuttingDownGracefully }

    /// Throws `store_stopping` after a stop was requested.
    func checkRunning() throws {
        try Task.checkCancellation()
        guard !Task.isShuttingDownGracefully else {
            throw StoreCallError(
                .serviceUnavailable,
                code: "store_stopping",
                message: "the store is stopping: changes up to now are kept"
            )
        }
    }

    /// Moves the engine to a time at which nothing is due.
    func pass(to time: Int64) throws {
        try store.step(to: time)
    }

    /// Moves the engine to a time and processes what is due there; the announcements are not signed yet.
    ///
    /// - Returns: The notifications to sign.
    func play(to time: Int64) throws -> UnsignedNotifications {
        try store.play(to: time)
        return store.unsignedNotifications
    }

    /// Passes signed notifications to delivery, in the order in which they were announced.
    ///
    /// Another call may already have signed and delivered the same notification; it is skipped then.
    func settle(_ signed: [SignedNotification]) throws {
        try store.settle(with: signed)
    }

    /// Adds a part of a population.
    func add(_ request: PopulationRequest, part: Range<Int>) throws -> PopulationReport {
        try store.populate(request, part: part)
    }

    /// The performance-test requests that are due at the current time.
    func duePerformanceCalls() throws -> [PerformanceTestCall] {
        try store.duePerformanceCalls()
    }

    /// Records the result of a performance-test request.
    func record(_ answer: RealtimeAnswer, of call: PerformanceTestCall) {
        updateDeveloperTime()
        store.recordPerformanceCall(call, answer: answer)
    }

    /// Lets the store check signatures against the real time too.
    private func updateDeveloperTime() { store.setDeveloperTime(realSeconds() * 1000) }

    /// Records the result of an attempt.
    ///
    /// Nothing is recorded if the delivery was cancelled in the meantime because the endpoint was removed or replaced.
    func record(_ answer: DeliveryAnswer, of delivery: Delivery) throws {
        do {
            try store.recordAttempt(
                notificationUUID: delivery.notificationUUID,
                result: answer.result,
                httpStatus: answer.httpStatus
            )
        } catch {
            guard error.code == .notificationNotFound else { throw error }
            logger.info("an attempt ended after its delivery was cancelled: it is not recorded")
        }
    }

    /// The deliveries that are due at the current time.
    func dueDeliveries() -> [Delivery] {
        store.dueDeliveries()
    }
}
