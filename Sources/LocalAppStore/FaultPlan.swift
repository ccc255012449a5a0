public import AppStoreModel
import PerennialPrimitives

/// What goes wrong with the delivery of a notification.
public enum DeliveryFault: Hashable, Sendable, Codable {
    /// The developer's server never gets it; for the store the attempt timed out.
    case drop
    /// The attempt is made so much later.
    case delay(CalendarPeriod)
    /// The same attempt arrives twice.
    case duplicate
    /// It comes after the next notification that is delivered, or an hour later when none is.
    case reorder
    /// The second half of the body is missing.
    case truncate
    /// The second half of the body is sent after so many milliseconds of real time.
    case slow(milliseconds: Int64)
    /// It arrives, and yet the store sees this HTTP status, as from a proxy on the way.
    case status(Int)
    /// The connection breaks in the middle of the body.
    case reset

    /// Whether it only moves the attempt to a later instant.
    var holdsUp: Bool {
        switch self {
        case .delay, .reorder: true
        case .drop, .duplicate, .truncate, .slow, .status, .reset: false
        }
    }
}

/// What goes wrong with a call of Apple's API.
public enum APIFault: Hashable, Sendable, Codable {
    /// 429, until so much later on the virtual clock.
    case rateLimit(CalendarPeriod)
    /// 500 with 5000000 or 5000001; the call is not carried out.
    case serverError(isRetryable: Bool)
    /// No answer for so many milliseconds of real time, then 504 without a body; the call is not carried out.
    case timeout(milliseconds: Int64)
    /// The call is carried out, and the answer is no JSON.
    case malformedBody
}

/// How often a fault happens.
public enum FaultFrequency: Hashable, Sendable, Codable {
    /// Each time with this probability, from 0 to 1.
    case probability(Double)
    /// The next so many times.
    case count(Int)
}

/// One kind of fault: to whom it happens and how often.
public struct FaultRule<
    Fault: Hashable & Sendable & Codable,
    Target: Hashable & Sendable & Codable
>: Hashable, Sendable, Codable {
    /// What goes wrong.
    public let fault: Fault
    /// To whom; to all when absent.
    public let target: Target?
    /// How often; a count tells how many are left.
    public private(set) var frequency: FaultFrequency
    /// How often it has happened.
    public private(set) var happened = 0

    private var generator: SplitMix64

    /// Makes a rule.
    public init(_ fault: Fault, target: Target? = nil, frequency: FaultFrequency) {
        self.fault = fault
        self.target = target
        self.frequency = frequency
        generator = SplitMix64(seed: 0)
    }

    /// Lets the rule's chances depend on a seed and its place among the others.
    mutating func sow(_ seed: UInt64, place: Int) { generator = SplitMix64(seed: seed &+ UInt64(place) << 32) }

    /// Whether the fault happens to this one, which then counts.
    mutating func strikes(_ candidate: Target) -> Bool {
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

/// What goes wrong from now on; of several rules that would strike at once, the first does.
public struct FaultPlan: Hashable, Sendable, Codable {
    /// Faults of deliveries, by type of notification.
    public internal(set) var deliveries: [FaultRule<DeliveryFault, NotificationType>]
    /// Faults of calls, by endpoint.
    public internal(set) var calls: [FaultRule<APIFault, AppleEndpoint>]
    /// Faults of real-time requests to the developer, by their purpose.
    public internal(set) var realtime: [FaultRule<DeliveryFault, RealtimePurpose>]

    /// Keeps the chances of real-time requests apart from those of deliveries.
    private static let realtimePlaces = 1 << 16

    /// Makes a plan; without arguments, nothing goes wrong.
    ///
    /// - Parameters:
    ///   - deliveries: What goes wrong with deliveries; the first rule that fits counts.
    ///   - calls: What goes wrong with calls of Apple's API; the first rule that fits counts.
    ///   - realtime: What goes wrong with real-time requests; the first rule that fits counts. They are answered at
    ///     once or never, so that none is delayed or reordered.
    ///   - seed: Where chances come from: the same seed and the same calls meet the same faults.
    public init(
        deliveries: [FaultRule<DeliveryFault, NotificationType>] = [],
        calls: [FaultRule<APIFault, AppleEndpoint>] = [],
        realtime: [FaultRule<DeliveryFault, RealtimePurpose>] = [],
        seed: UInt64 = 0
    ) {
        self.deliveries = deliveries
        self.calls = calls
        self.realtime = realtime.filter { !$0.fault.holdsUp }
        for place in deliveries.indices { self.deliveries[place].sow(seed, place: place) }
        for place in calls.indices { self.calls[place].sow(~seed, place: place) }
        for place in self.realtime.indices { self.realtime[place].sow(seed, place: Self.realtimePlaces + place) }
    }
}
