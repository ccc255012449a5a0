import AppStoreModel

/// The times of deliveries and retries, by Apple's retry schedule.
///
/// - Source: App Store Server Notifications, responding to notifications: in production five more attempts, 1, 12,
///   24, 48 and 72 hours after the previous one (version 1: three more, 6, 24 and 48 hours); in the sandbox a single
///   attempt.
struct DeliverySchedule: Sendable, Codable {
    private static let productionDelays = [1, 12, 24, 48, 72].map { $0 * Milliseconds.hour }
    private static let version1Delays = [6, 24, 48].map { $0 * Milliseconds.hour }

    private let retries: Bool
    private var queue = DueQueue<Int>()
    /// Taken from the queue and not recorded yet, in the order of their times.
    private(set) var outstanding: [Int] = []

    /// Delayed once by a fault, and not again before the attempt is made.
    private var heldUp: Set<Int> = []
    /// Waiting until another delivery overtakes them.
    private var overtakable: [Int] = []
    /// Already overtaken: their entry in the queue is invalid.
    private var overtaken: Set<Int> = []

    init(environment: AppStoreEnvironment) {
        retries = environment == .production
    }

    /// The time of the next delivery; in the far past while one is outstanding.
    var nextDue: Int64? { outstanding.isEmpty ? queue.first?.dueAt : .min }

    /// Schedules a new notification.
    mutating func schedule(_ index: Int, at time: Int64) { queue.push(index, dueAt: time) }

    /// Moves everything that is due to the outstanding deliveries, and returns what is new.
    mutating func take(dueAtOrBefore now: Int64) -> [Int] {
        var taken: [Int] = []
        while let entry = queue.pop(dueAtOrBefore: now) {
            guard overtaken.remove(entry.item) == nil else { continue }
            if !overtakable.isEmpty { overtakable.removeAll { $0 == entry.item } }
            taken.append(entry.item)
        }
        outstanding += taken
        return taken
    }

    /// Whether a fault has already delayed the current attempt.
    func wasHeldUp(_ index: Int) -> Bool { heldUp.contains(index) }

    /// Postpones an outstanding delivery.
    mutating func holdUp(_ index: Int, until time: Int64) {
        outstanding.removeAll { $0 == index }
        heldUp.insert(index)
        queue.push(index, dueAt: time)
    }

    /// Postpones an outstanding delivery until another one is done, but at most until a time.
    mutating func letOvertake(_ index: Int, until time: Int64) {
        holdUp(index, until: time)
        overtakable.append(index)
    }

    /// Completes an outstanding delivery; `false` if there is none.
    mutating func finish(_ index: Int) -> Bool {
        guard let position = outstanding.firstIndex(of: index) else { return false }
        outstanding.remove(at: position)
        heldUp.remove(index)
        outstanding += overtakable
        overtaken.formUnion(overtakable)
        overtakable.removeAll()
        return true
    }

    /// Schedules the next attempt after a number of failed ones, unless all were made.
    mutating func retry(_ index: Int, version: NotificationVersion, afterAttempts attempts: Int, now: Int64) {
        let delays = version == .v1 ? Self.version1Delays : Self.productionDelays
        guard retries, attempts <= delays.count else { return }
        queue.push(index, dueAt: now + delays[attempts - 1])
    }

    /// Removes all deliveries.
    mutating func giveUp() {
        queue.removeAll()
        outstanding.removeAll()
        heldUp.removeAll()
        overtakable.removeAll()
        overtaken.removeAll()
    }
}
