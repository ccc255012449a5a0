public import AppStoreModel
import PerennialPrimitives

/// A fault in the delivery of a notification.
public enum DeliveryFault: Hashable, Sendable, Codable {
    /// The notification is lost; the attempt times out.
    case drop
    /// The attempt is delayed.
    case delay(CalendarPeriod)
    /// The attempt arrives twice.
    case duplicate
    /// The notification arrives after the next one, or an hour later if there is none.
    case reorder
    /// The second half of the body is missing.
    case truncate
    /// The second half of the body follows after this many milliseconds of real time.
    case slow(milliseconds: Int64)
    /// The notification arrives, but the store receives this HTTP status, as from a proxy.
    case status(Int)
    /// The connection closes in the middle of the body.
    case reset

    /// Whether the fault only postpones the attempt.
    var holdsUp: Bool {
        switch self {
        case .delay, .reorder: true
        case .drop, .duplicate, .truncate, .slow, .status, .reset: false
        }
    }
}

/// A fault in a call of Apple's API.
public enum APIFault: Hashable, Sendable, Codable {
    /// 429 until a later time of the virtual clock.
    case rateLimit(CalendarPeriod)
    /// 500 with 5000000 or 5000001; the call is not executed.
    case serverError(isRetryable: Bool)
    /// No answer for this many milliseconds of real time, then 504 without a body; the call is not executed.
    case timeout(milliseconds: Int64)
    /// The call is executed, and the answer is not JSON.
    case malformedBody
}

/// How often a fault occurs.
public enum FaultFrequency: Hashable, Sendable, Codable {
    /// Each time with this probability, from 0 to 1.
    case probability(Double)
    /// The next given number of times.
    case count(Int)
}

/// One kind of fault with its targets and frequency.
public struct FaultRule<
    Fault: Hashable & Sendable & Codable,
    Target: Hashable & Sendable & Codable
>: Hashable, Sendable, Codable {
    /// The fault.
    public let fault: Fault
    /// The targets; all if absent.
    public let target: Target?
    /// The frequency; a count is the number that remains.
    public private(set) var frequency: FaultFrequency
    /// How often it has occurred.
    public private(set) var happened = 0

    private var generator: SplitMix64

    /// Makes a rule.
    public init(_ fault: Fault, target: Target? = nil, frequency: FaultFrequency) {
        self.fault = fault
        self.target = target
        self.frequency = frequency
        generator = SplitMix64(seed: 0)
    }

    /// Seeds the rule's random choices from a seed and its index among the rules.
    mutating func setSeed(_ seed: UInt64, index: Int) { generator = SplitMix64(seed: seed &+ UInt64(index) << 32) }

    /// Whether the fault occurs this time; counts it if so.
    mutating func occurs(for candidate: Target) -> Bool {
        guard target == nil || target == candidate else { return false }
        switch frequency {
        case .probability(let probability):
            guard generator.happens(probability) else { return false }
        case .count(let left):
            guard left > 0 else { return false }
            frequency = .count(left - 1)
        }
        happened += 1
        return true
    }
}

/// The injected faults. If several rules match, the first one applies.
public struct FaultPlan: Hashable, Sendable, Codable {
    /// Faults of deliveries, by notification type.
    public internal(set) var deliveries: [FaultRule<DeliveryFault, NotificationType>]
    /// Faults of calls, by endpoint.
    public internal(set) var calls: [FaultRule<APIFault, AppStoreServerCall.Identifier>]
    /// Faults of realtime requests to the developer, by purpose.
    public internal(set) var realtime: [FaultRule<DeliveryFault, RealtimePurpose>]

    /// Separates the random choices of realtime requests from those of deliveries.
    private static let realtimeOffset = 1 << 16

    /// Makes a plan; without arguments, there are no faults.
    ///
    /// - Parameters:
    ///   - deliveries: Faults of deliveries; the first matching rule applies.
    ///   - calls: Faults of calls of Apple's API; the first matching rule applies.
    ///   - realtime: Faults of realtime requests; the first matching rule applies. Realtime requests are never delayed
    ///     or reordered.
    ///   - seed: The seed of random choices: equal seeds and calls give equal faults.
    public init(
        deliveries: [FaultRule<DeliveryFault, NotificationType>] = [],
        calls: [FaultRule<APIFault, AppStoreServerCall.Identifier>] = [],
        realtime: [FaultRule<DeliveryFault, RealtimePurpose>] = [],
        seed: UInt64 = 0
    ) {
        self.deliveries = deliveries
        self.calls = calls
        self.realtime = realtime.filter { !$0.fault.holdsUp }
        for index in deliveries.indices { self.deliveries[index].setSeed(seed, index: index) }
        for index in calls.indices { self.calls[index].setSeed(~seed, index: index) }
        for index in self.realtime.indices {
            self.realtime[index].setSeed(seed, index: Self.realtimeOffset + index)
        }
    }
}
