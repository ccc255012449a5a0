import AppStoreModel
import AppStoreSigning
import HTTPTypes
import LocalAppStore
import Logging
import ServiceLifecycle

/// Owns the engine: everything that is asked of the store passes here.
///
/// Two ways in. ``read(_:)`` looks something up, or changes what concerns nobody else, and never waits. ``perform(_:)``
/// carries out a command that makes notifications: one command at a time, in the order of arrival, and each answers
/// only when its notifications are delivered and every follower has caught up. Reads pass between the two steps of a
/// command, so that a follower can ask the store while the store waits for it.
actor StoreDesk {
    /// The most commands that may wait for their turn.
    static let waitingMax = 10_000

    private(set) var store: LocalAppStore
    var followers: FollowerRegistry
    var snapshots: SnapshotShelf
    var drive = ClockDrive()

    let deliverer: any NotificationDeliverer
    let caller: any FollowerCaller
    let realtimeCaller: any RealtimeCaller
    let patience: FollowerPatience
    let logger: Logger
    let realTime: any RealTimeSource
    /// The real time, seconds since 1970: the developer's clock.
    let realSeconds: @Sendable () -> Int64
    /// The speed of the clock at the start.
    let clockSpeed: Int64

    /// What ``reset()`` goes back to.
    let origin: LocalAppStore

    /// Says that the clock was set in motion.
    let clockStarts: AsyncStream<Void>
    let announceClockStart: AsyncStream<Void>.Continuation

    /// The deliveries that are under way.
    var round: DeliveryRound?

    private var isBusy = false
    private var waiting: [CheckedContinuation<Void, Never>] = []

    init(
        state: DeskState,
        deliverer: any NotificationDeliverer,
        caller: any FollowerCaller,
        realtimeCaller: any RealtimeCaller,
        patience: FollowerPatience,
        realTime: any RealTimeSource,
        realSeconds: @escaping @Sendable () -> Int64,
        clockSpeed: Int64,
        logger: Logger
    ) {
        store = state.store
        origin = state.origin
        followers = state.followers
        snapshots = state.snapshots
        (clockStarts, announceClockStart) = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(1))
        self.realTime = realTime
        self.realSeconds = realSeconds
        self.clockSpeed = clockSpeed
        drive.run(atSpeed: clockSpeed, from: realTime.milliseconds())
        self.deliverer = deliverer
        self.caller = caller
        self.realtimeCaller = realtimeCaller
        self.patience = patience
        self.logger = logger
    }

    /// What has changed since the recorder was here last, of what a restart has to bring back.
    ///
    /// Made here, in one step: a copy of the store taken along would make the next command copy what it changes.
    func entry(_ recorder: StoreRecorder, isClosed: Bool) throws -> StoreEntry {
        try recorder.entry(
            with: DeskRecord(isClosed: isClosed, store: store, followers: followers, snapshots: snapshots)
        )
    }

    /// Asks the engine something, or changes what makes no notification, at once.
    func read<Answer: Sendable, Failure: Error>(
        _ question: @Sendable (inout LocalAppStore) throws(Failure) -> Answer
    ) throws(Failure) -> Answer {
        if !isBusy { showPresentInstant() }
        tellDeveloperTime()
        // Whoever took the endpoint away, or named another one, is not sent to any more.
        defer { if let round, round.url != store.notificationURL { round.end() } }
        return try question(&store)
    }

    /// Carries out a command, delivers what it caused, and waits for the followers.
    ///
    /// A command that is refused delivers what others left for it: see ``performForApple(_:)``.
    ///
    /// - Throws: What the command throws; `store_busy`, `store_stopping`.
    func perform<Answer: Sendable>(
        _ command: @Sendable (inout LocalAppStore) throws -> Answer
    ) async throws -> Answer {
        try await exclusively {
            var tally = AdvanceReport()
            try await keepPace(&tally)
            tellDeveloperTime()
            let answer = try command(&store)
            try await catchUp(&tally)
            return answer
        }
    }

    /// Carries out a call of Apple's API that makes notifications, and sends them.
    ///
    /// While another command is under way it answers at once: that command delivers these notifications too, even
    /// where it is refused itself. So a follower may make such a call while the store waits for it, and Apple's own
    /// calls are not synchronous either.
    func performForApple<Answer: Sendable>(
        _ command: @Sendable (inout LocalAppStore) throws -> Answer
    ) async throws -> Answer {
        guard isBusy else { return try await perform(command) }
        tellDeveloperTime()
        return try command(&store)
    }

    /// Starts again from the first instant, with nothing sold; endpoint and followers are gone.
    ///
    /// - Returns: Who is told no more: the notification URL, and the settle URLs of the followers.
    func reset() async throws -> (notificationURL: String?, followers: [String]) {
        try await exclusively {
            let forgotten = (notificationURL: store.notificationURL, followers: followers.followers.map(\.settleURL))
            store = origin
            drive.run(atSpeed: clockSpeed, from: realTime.milliseconds())
            followers.removeAll()
            return forgotten
        }
    }

    /// Goes on from another state of the store, and tells whom the present one tells.
    func goOn(from other: LocalAppStore) {
        let present = store
        store = other
        store.takeNotificationEndpoint(from: present)
    }

    /// Lets one command at a time through.
    func exclusively<Answer: Sendable>(_ body: () async throws -> Answer) async throws -> Answer {
        if isBusy {
            guard waiting.count < Self.waitingMax else {
                throw StoreCallError(
                    .serviceUnavailable,
                    code: "store_busy",
                    message: "\(Self.waitingMax) commands wait already: send fewer at a time"
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

    /// Delivers what was left to a command that failed.
    ///
    /// What cannot be delivered now stays due, and goes out with the next command.
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

    /// Gives the turn to the command that has waited longest.
    private func passOn() {
        if waiting.isEmpty { isBusy = false } else { waiting.removeFirst().resume() }
    }

    /// Whether the program was not asked to stop.
    var mayGoOn: Bool { !Task.isCancelled && !Task.isShuttingDownGracefully }

    /// Throws `store_stopping` once the program was asked to stop.
    func checkRunning() throws {
        try Task.checkCancellation()
        guard !Task.isShuttingDownGracefully else {
            throw StoreCallError(
                .serviceUnavailable,
                code: "store_stopping",
                message: "the store is stopping: what was done so far stands"
            )
        }
    }

    /// Moves the engine to an instant at which nothing is due.
    func pass(to instant: Int64) throws {
        try store.step(to: instant)
    }

    /// Moves the engine to an instant and lets it do what is due there; what that announces is not signed yet.
    ///
    /// - Returns: What is to be signed.
    func play(to instant: Int64) throws -> UnsignedNotifications {
        try store.play(to: instant)
        return store.unsignedNotifications
    }

    /// Hands out what was signed, in the order in which it was announced.
    ///
    /// Somebody else's call may have signed and handed out the same meanwhile: it is left out then.
    func settle(_ signed: [SignedNotification]) throws {
        try store.settle(with: signed)
    }

    /// Adds a part of a population.
    func add(_ request: PopulationRequest, part: Range<Int>) throws -> PopulationReport {
        try store.populate(request, part: part)
    }

    /// What performance tests ask at the present instant.
    func duePerformanceCalls() throws -> [PerformanceTestCall] {
        try store.duePerformanceCalls()
    }

    /// Records what came of a request of a performance test.
    func record(_ answer: RealtimeAnswer, of call: PerformanceTestCall) {
        tellDeveloperTime()
        store.recordPerformanceCall(call, answer: answer)
    }

    /// Lets the store judge signatures by the real time too.
    private func tellDeveloperTime() { store.setDeveloperTime(realSeconds() * 1000) }

    /// Records how an attempt went.
    ///
    /// Nothing is recorded when the delivery was given up meanwhile, since the endpoint was taken away, also where
    /// there is another endpoint by now.
    func record(_ answer: DeliveryAnswer, of delivery: Delivery) throws {
        do {
            try store.recordAttempt(
                notificationUUID: delivery.notificationUUID,
                result: answer.result,
                httpStatus: answer.httpStatus
            )
        } catch {
            guard error.code == .notificationNotFound else { throw error }
            logger.info("an attempt ended after its delivery was given up: it is not recorded")
        }
    }

    /// What is to be delivered at the present instant.
    func dueDeliveries() -> [Delivery] {
        store.dueDeliveries()
    }
}
