package import CoreMetrics
import Dispatch
import SubscriptionCore
import SubscriptionStorage

/// The rate limits of a server, with their state.
///
/// Each process has its own state, and a restart forgets it.
package struct RequestLimits: Sendable {
    /// Real time, which never goes back.
    ///
    /// - Units: nanoseconds.
    package static let uptime: @Sendable () -> Int64 = { Int64(DispatchTime.now().uptimeNanoseconds) }

    /// Who has a limit of its own.
    private enum Caller: Hashable {
        /// A secret key, by the first bytes of its digest.
        case key(UInt64)
        /// An operator, with all keys and sessions together.
        case person(OperatorID)
    }

    private struct AppClient: Hashable {
        let app: AppID
        let client: ClientAddress
    }

    /// Finds the client of a request.
    package let clients: ForwardedClients
    /// Limits requests without a valid key, and those of public keys.
    package let addresses: AddressLimiter
    /// Limits notifications without a valid signature.
    let notifications: RefusedNotifications
    /// Counts refused requests.
    package let metrics: RateLimitMetrics
    private let callers: TokenBuckets<Caller>?
    private let apps: TokenBuckets<AppClient>?

    /// Makes limits of which nothing is used.
    ///
    /// - Parameters:
    ///   - limits: The limits.
    ///   - metrics: Counts refused requests.
    ///   - now: Real time in nanoseconds, which never goes back.
    package init(
        _ limits: RateLimits,
        metrics: RateLimitMetrics = RateLimitMetrics(),
        now: @escaping @Sendable () -> Int64 = RequestLimits.uptime
    ) {
        self.metrics = metrics
        clients = ForwardedClients(trusted: limits.trustedProxies)
        let perAddress = TokenLimit(limits.addressRequestsPerSecond, burst: limits.addressBurst)
        callers = TokenLimit(limits.requestsPerSecond, burst: limits.burst).map { TokenBuckets($0, now: now) }
        apps = perAddress.map { TokenBuckets($0, now: now) }
        addresses = AddressLimiter(perAddress, now: now)
        notifications = RefusedNotifications(perMinute: limits.refusedNotificationsPerMinute, now: now)
    }

    /// Takes a token for a request with a valid key: of a secret key, of an operator, or of the client with a
    /// publishable key.
    ///
    /// - Parameters:
    ///   - key: The key.
    ///   - person: The operator of the key; nil if it is an app's key.
    ///   - client: The client; nil if it is not limited.
    /// - Returns: Whether it is within the limit; nil if there is none.
    func take(_ key: APIKeyRecord, of person: OperatorID?, client: ClientAddress?) -> RateLimitState? {
        switch key.kind {
        case .secret: callers?.take(from: person.map(Caller.person) ?? .key(Self.name(of: key.digest)))
        case .publishable: client.flatMap { apps?.take(from: AppClient(app: key.appID, client: $0)) }
        }
    }

    /// The first bytes of a SHA-256, which are as good a name as the whole, and are compared in one step.
    private static func name(of digest: [UInt8]) -> UInt64 {
        digest.withUnsafeBytes { bytes in
            bytes.count < MemoryLayout<UInt64>.size ? 0 : bytes.loadUnaligned(as: UInt64.self)
        }
    }
}

/// Limits the notifications without a valid signature from each address, but never an address from which a valid
/// notification came.
///
/// Apple sends many notifications from few addresses. So a valid one clears its address for a day.
final class RefusedNotifications: Sendable {
    private static let trustedNanoseconds: Int64 = 86_400_000_000_000

    private let budget: TokenBuckets<ClientAddress>?
    private let verified = ExpiringTable<ClientAddress>()
    private let now: @Sendable () -> Int64

    init(perMinute: Int, now: @escaping @Sendable () -> Int64) {
        budget = TokenLimit(perMinute, perSeconds: 60, burst: perMinute).map { TokenBuckets($0, now: now) }
        self.now = now
    }

    /// Whether an address has used up its budget.
    ///
    /// - Returns: When it may send again; nil if it may now.
    func refusal(of client: ClientAddress) -> RateLimitState? {
        guard let state = budget?.state(of: client), !state.isAdmitted else { return nil }
        if let until = verified.time(of: client), until > now() { return nil }
        return state
    }

    /// Records a notification without a valid signature.
    func countRefused(from client: ClientAddress) {
        _ = budget?.take(from: client)
    }

    /// Records a valid notification.
    func countVerified(from client: ClientAddress) {
        guard budget != nil else { return }
        let now = now()
        verified.update(client, now: now) { $0 = now + Self.trustedNanoseconds }
    }
}

/// The metrics of refused requests.
package struct RateLimitMetrics: Sendable {
    /// Which limit refused a request.
    package enum Reason: String, CaseIterable, Sendable {
        /// The limit of a secret key or of an operator.
        case key
        /// The limit of a client address.
        case address
        /// The limit of notifications without a valid signature.
        case refusedNotifications = "refused_notifications"
    }

    private let counters: [Counter]

    /// Makes the metrics; without a factory nothing is recorded.
    package init(factory: any MetricsFactory = NOOPMetricsHandler.instance) {
        counters = Reason.allCases.map { reason in
            let label = "perennial_http_requests_rate_limited_total"
            let counter = Counter(label: label, dimensions: [("reason", reason.rawValue)], factory: factory)
            // A counter that exists from the start shows the first refusal as an increase.
            counter.increment(by: 0)
            return counter
        }
    }

    /// Counts a refused request.
    func count(_ reason: Reason) {
        for (known, counter) in zip(Reason.allCases, counters) where known == reason { counter.increment() }
    }
}
