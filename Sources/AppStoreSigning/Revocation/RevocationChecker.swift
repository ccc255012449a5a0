import Crypto

/// Stores whether the certificates of verified chains are revoked, and queries their issuers if it is unknown.
///
/// The App Store signs months of data with one chain, so an answer is used for a long time. There is one query at a
/// time per chain, however many verifications wait for it. A stale answer is still used while a new one is fetched in
/// the background. So a chain makes a verification wait for the network only once, until it has been unused for
/// ``RevocationSchedule/usableFor``. A missing answer is stored only for ``RevocationSchedule/retryAfter``. "Revoked"
/// is used until the authority answers otherwise. Only chains with a configured root are checked, so foreign data
/// causes no queries.
public actor RevocationChecker {
    /// The status of a chain.
    private struct Entry {
        let status: RevocationStatus
        /// When it was determined, in milliseconds since 1970 (UTC).
        let since: Int64
        /// When it must be queried again, in milliseconds since 1970 (UTC).
        var staleFrom: Int64
        var lastUse: Int64
    }

    private let transport: any OCSPTransport
    private let schedule: RevocationSchedule
    private let capacity: Int
    private let now: @Sendable () -> Int64
    private var entries: [SHA256Digest: Entry] = [:]
    private var requests: [SHA256Digest: Task<RevocationStatus, Never>] = [:]
    private var useCount: Int64 = 0

    /// What happens to data whose revocation status is unknown.
    public nonisolated let failureMode: RevocationFailureMode

    /// Makes an empty checker.
    ///
    /// - Parameters:
    ///   - transport: Carries OCSP requests and answers.
    ///   - failureMode: What happens to data without an answer.
    ///   - schedule: How long answers are used.
    ///   - capacity: The maximum number of stored chains; the least recently used one is evicted first.
    ///   - now: The time in milliseconds since 1970 (UTC); answers must be valid at it.
    public init(
        transport: any OCSPTransport,
        failureMode: RevocationFailureMode = .soft,
        schedule: RevocationSchedule = RevocationSchedule(),
        capacity: Int = 32,
        now: @escaping @Sendable () -> Int64
    ) {
        self.transport = transport
        self.failureMode = failureMode
        self.schedule = schedule
        self.capacity = max(1, capacity)
        self.now = now
    }

    /// The status of a chain, after a query if it is unknown.
    func status(of chain: VerifiedChain) async -> RevocationStatus {
        let key = chain.identity
        let time = now()
        if let entry = entries[key], isUsable(entry, at: time) {
            useCount += 1
            entries[key]?.lastUse = useCount
            if time >= entry.staleFrom {
                _ = request(about: chain, key)
            }
            return entry.status
        }
        return await request(about: chain, key).value
    }

    /// Waits until no request is running, for example when a server stops.
    public func waitForRequests() async {
        while let (_, request) = requests.first {
            _ = await request.value
        }
    }

    /// Whether an entry is still usable; not after the clock was set back before it.
    private func isUsable(_ entry: Entry, at time: Int64) -> Bool {
        // Neither time nor a missing answer reverts a revocation.
        if entry.status == .revoked { return true }
        return entry.since <= time && time - entry.since < usableMilliseconds(entry.status)
    }

    private func usableMilliseconds(_ status: RevocationStatus) -> Int64 {
        if status.isAnswer { return schedule.usableFor.wholeMilliseconds }
        let pause = schedule.retryAfter.wholeMilliseconds
        // If missing answers refuse data, none may be refused that a new query would accept. Otherwise the entry is
        // used twice as long while a query runs in the background, so that an outage does not delay active chains.
        let (twice, overflow) = pause.multipliedReportingOverflow(by: 2)
        return failureMode == .hard || overflow ? pause : twice
    }

    /// The running query of a chain, or a new one.
    ///
    /// A separate task, because all waiting and later callers share it: the first of them may be cancelled. It ends by
    /// itself within the policy's deadline.
    private func request(about chain: VerifiedChain, _ key: SHA256Digest) -> Task<RevocationStatus, Never> {
        if let underWay = requests[key] { return underWay }
        let time = now()
        let request = OCSPRequest(about: chain, transport: transport, at: time)
        let task = Task {
            let status = await request?.status() ?? .unknown
            return remember(status, since: time, key)
        }
        requests[key] = task
        return task
    }

    /// Stores the result, and returns the valid status.
    private func remember(_ status: RevocationStatus, since time: Int64, _ key: SHA256Digest) -> RevocationStatus {
        requests[key] = nil
        useCount += 1
        let pause = status.isAnswer ? schedule.freshFor : schedule.retryAfter
        let staleFrom = time.addingReportingOverflow(pause.wholeMilliseconds)
        var entry = Entry(
            status: status,
            since: time,
            staleFrom: staleFrom.overflow ? .max : staleFrom.partialValue,
            lastUse: useCount
        )
        if !status.isAnswer, let former = entries[key], former.status.isAnswer, isUsable(former, at: time) {
            // A missing answer does not replace an earlier answer.
            entry = Entry(status: former.status, since: former.since, staleFrom: entry.staleFrom, lastUse: useCount)
        }
        entries[key] = entry
        if entries.count > capacity, let oldest = entries.min(by: { $0.value.lastUse < $1.value.lastUse }) {
            entries[oldest.key] = nil
        }
        return entry.status
    }
}

extension VerifiedChain {
    /// The key of a chain: leaf, intermediate and root.
    fileprivate var identity: SHA256Digest {
        var hash = SHA256()
        hash.update(data: leaf)
        hash.update(data: intermediate)
        for anchor in anchors { hash.update(data: anchor.root.der) }
        return hash.finalize()
    }
}
