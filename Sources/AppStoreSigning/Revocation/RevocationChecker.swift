import Crypto

/// Knows whether the certificates of verified chains have been revoked, and asks their issuers when it does not.
///
/// The App Store signs months of data with one chain, so an answer serves for long. One question at a time is under way
/// for a chain, however many verifications wait for it. An answer that is no longer fresh still serves, while a new one
/// is fetched behind it: a chain makes a verification wait for the network once, not again (until it has been unused for
/// ``RevocationSchedule/usableFor``). Only chains that lead to a configured root are asked about, so strangers cause no
/// questions.
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
        entry.since <= time && time - entry.since < schedule.usableFor.wholeMilliseconds
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
            remember(status, since: time, key)
            return status
        }
        questions[key] = task
        return task
    }

    private func remember(_ status: RevocationStatus, since time: Int64, _ key: SHA256Digest) {
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
