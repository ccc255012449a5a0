import AppStoreModel
import SubscriptionCore
import SubscriptionStorage

extension ExtensionCampaign {
    private static let firstPause: Int64 = 30_000
    private static let longestPause: Int64 = 3_600_000
    /// An event for each tenth of the members that has a result.
    private static let tenths = 10

    /// The members with rows.
    var memberCount: Int { members.values.reduce(0, +) }

    /// The members without a result.
    var openCount: Int { count(of: [.planned, .ordered, .asked]) }

    /// The members in some states without a result.
    func count(of states: [RenewalExtension.State]) -> Int {
        states.reduce(states.contains(.planned) ? postponedCount : 0) { $0 + (members[$1.rawValue] ?? 0) }
    }

    /// Counts the present result of a member instead of the one that was counted before.
    mutating func count(_ member: inout RenewalExtension) {
        if let before = member.countedAs { members.add(-1, to: before) }
        members.add(1, to: member.result)
        member.countedAs = member.result
    }

    /// Adds what notifications changed.
    mutating func add(_ change: CampaignCountChange) {
        for (result, number) in change.counts { members.add(number, to: result) }
    }

    /// The tenths of the members that have a result; nil while members are enlisted.
    var progress: Int? {
        guard isEnlisted, memberCount > 0 else { return nil }
        return (memberCount - openCount) * Self.tenths / memberCount
    }

    /// Ends it: every member has a result.
    mutating func finish(at now: Timestamp) {
        (state, endedAt, isCounting) = (.finished, now, false)
        resume()
    }

    /// Ends it before every member has a result. A running dry run ends too. Results of what Apple was asked before are
    /// still counted.
    mutating func cancel(at now: Timestamp) {
        (state, endedAt) = (.cancelled, now)
        resume()
        if dryRun?.finishedAt == nil { dryRun = nil }
    }

    /// Apple was away or busy: nothing is asked for a while, longer each time, and not before Apple allows it. It is
    /// never longer than an hour.
    mutating func pause(because error: OperationError, at now: Timestamp) {
        let pause = min(Self.firstPause << Int64(min(pauses, 7)), Self.longestPause)
        pauses += 1
        let earliest = now.adding(milliseconds: pause)
        retryAt = min(max(earliest, error.retryAt ?? earliest), now.adding(milliseconds: Self.longestPause))
        failure = StoredFailure(code: error.code, message: error.message)
    }

    /// Whether nothing is asked now, because Apple was away or busy.
    func isPaused(at now: Timestamp) -> Bool { retryAt.map { $0 > now } ?? false }

    /// Apple answered.
    mutating func resume() { (pauses, retryAt, failure) = (0, nil, nil) }

    /// An event about the campaign.
    func event(_ kind: SubscriptionEvent.Kind, at now: Timestamp) -> SubscriptionEvent {
        var details = ["campaign_id": id.rawValue, "extend_by_days": "\(terms.days)"]
        if kind != .campaignStarted {
            details["members"] = "\(memberCount)"
            for state in RenewalExtension.State.allCases {
                let count = members.filter { $0.key == state.rawValue || $0.key.hasPrefix(state.rawValue + ":") }
                    .values.reduce(0, +)
                if count > 0 { details[state.rawValue] = "\(count)" }
            }
        }
        return SubscriptionEvent(kind: kind, occurredAt: now, details: details)
    }
}
