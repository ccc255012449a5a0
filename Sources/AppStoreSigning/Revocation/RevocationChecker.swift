import Crypto

/// Knows whether the certificates of verified chains have been revoked, and asks their issuers when it does not.
///
/// The App Store signs months of data with one chain, so an answer serves for long. One question at a time is under way
/// for a chain, however many verifications wait for it. An answer that is no longer fresh still serves, while a new one
/// is fetched behind it: a chain makes a verification wait for the network once, not again (until it has been unused
/// for ``RevocationSchedule/usableFor``). The lack of an answer is remembered only for
/// ``RevocationSchedule/retryAfter``. "Revoked" serves until the authority says otherwise. Only chains that lead to a
/// configured root are asked about, so strangers cause no questions.
public actor RevocationChecker {
    /// What is known about a chain.
    private struct Entry {
        let status: RevocationStatus
        /// When it was found out, in milliseconds since 1970 (UTC).
        let since: Int64
        /// From when on it is asked for again, in milliseconds since 1970 (UTC).
        var staleFrom: Int64
        var lastUse: Int64
    }

    private let transport: any OCSPTransport
    private let schedule: RevocationSchedule
    private let capacity: Int
    private let now: @Sendable () -> Int64
    private var entries: [SHA256Digest: Entry] = [:]
    private var questions: [SHA256Digest: Task<RevocationStatus, Never>] = [:]
    private var useCount: Int64 = 0

    /// What becomes of data when nobody can say whether its certificates are revoked.
    public nonisolated let failureMode: RevocationFailureMode

    /// Makes a checker that knows nothing yet.
    ///
    /// - Parameters:
    ///   - transport: What carries question and answer.
    ///   - failureMode: What becomes of data when there is no answer.
    ///   - schedule: For how long an answer serves.
    ///   - capacity: How many chains are remembered; the one longest unused goes first.
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

    /// What is known about a chain, after asking when nothing is.
    func status(of chain: VerifiedChain) async -> RevocationStatus {
        let key = chain.identity
        let time = now()
        if let entry = entries[key], isUsable(entry, at: time) {
            useCount += 1
            entries[key]?.lastUse = useCount
            if time >= entry.staleFrom {
                _ = question(about: chain, key)
            }
            return entry.status
        }
        return await question(about: chain, key).value
    }

    /// Waits until no question is under way, as when a server stops.
    public func waitForQuestions() async {
        while let (_, question) = questions.first {
            _ = await question.value
        }
    }

    /// Whether an entry may still be relied on; not when the clock has been set back behind it.
    private func isUsable(_ entry: Entry, at time: Int64) -> Bool {
        // Neither time nor silence takes back that a certificate is revoked.
        if entry.status == .revoked { return true }
        return entry.since <= time && time - entry.since < usableMilliseconds(entry.status)
    }

    private func usableMilliseconds(_ status: RevocationStatus) -> Int64 {
        if status.isAnswer { return schedule.usableFor.wholeMilliseconds }
        let pause = schedule.retryAfter.wholeMilliseconds
        // Where data is refused for the lack of an answer, none may be refused that a new question would let pass.
        // Elsewhere it serves as long again while one is asked behind it, so that an outage holds up nobody who is
        // busy.
        let (twice, overflow) = pause.multipliedReportingOverflow(by: 2)
        return failureMode == .hard || overflow ? pause : twice
    }

    /// The question that is under way for a chain, or a new one.
    ///
    /// A task of its own, because it belongs to all who wait for it and to those who come later: the first of them may
    /// be cancelled. It ends by itself, within the policy's deadline.
    private func question(about chain: VerifiedChain, _ key: SHA256Digest) -> Task<RevocationStatus, Never> {
        if let underWay = questions[key] { return underWay }
        let time = now()
        let question = OCSPQuestion(about: chain, transport: transport, at: time)
        let task = Task {
            let status = await question?.status() ?? .unknown
            return remember(status, since: time, key)
        }
        questions[key] = task
        return task
    }

    /// Keeps what was found out, and gives what counts from now on.
    private func remember(_ status: RevocationStatus, since time: Int64, _ key: SHA256Digest) -> RevocationStatus {
        questions[key] = nil
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
            // Silence says nothing against what was answered before.
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
    /// Tells chains apart: leaf, intermediate and root.
    fileprivate var identity: SHA256Digest {
        var hash = SHA256()
        hash.update(data: leaf)
        hash.update(data: intermediate)
        for anchor in anchors { hash.update(data: anchor.root.der) }
        return hash.finalize()
    }
}
