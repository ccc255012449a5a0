import SubscriptionCore
import SubscriptionStorage
import Synchronization

/// Remembers of which customers the present answer is known, so that "unchanged" can be said without making it again.
///
/// Only marks are kept, no answers. Where this process alone writes, a mark is good until a commit touches the
/// customer; elsewhere, or after a while, the customer's version is asked for.
final class RecentAnswers: Sendable {
    /// How long a mark is good without asking, where this process alone writes: should another one write to the file
    /// all the same, that is how long it goes unnoticed.
    static let unaskedMax = Duration.seconds(10)
    /// How many customers are remembered.
    static let countMax = 50_000

    /// What is known of a customer's answer.
    struct Entry: Sendable {
        let customer: CustomerRecord
        let mark: AnswerMark
        let span: AnswerSpan
        /// The commits before it was read; nil where others write too.
        let count: CustomerCommits.Count?
        let readAt: ContinuousClock.Instant
    }

    private struct Key: Hashable {
        let customer: CustomerID
        let app: AppID
    }

    private struct Memory {
        var entries: [Key: Entry] = [:]
        /// What was not used since the last time that the memory was full; goes the next time.
        var older: [Key: Entry] = [:]
    }

    private let memory = Mutex(Memory())
    private let countMax: Int

    init(countMax: Int = RecentAnswers.countMax) {
        self.countMax = max(2, countMax)
    }

    /// How many customers are remembered now.
    var count: Int { memory.withLock { $0.entries.count + $0.older.count } }

    /// What is remembered of a customer, good or not.
    func entry(of customer: CustomerID, app: AppID) -> Entry? {
        let key = Key(customer: customer, app: app)
        return memory.withLock { memory in
            if let entry = memory.entries[key] { return entry }
            guard let entry = memory.older.removeValue(forKey: key) else { return nil }
            insert(entry, for: key, into: &memory)
            return entry
        }
    }

    /// Remembers a customer's answer.
    func remember(_ entry: Entry, app: AppID) {
        let key = Key(customer: entry.customer.id, app: app)
        memory.withLock { memory in
            memory.older[key] = nil
            insert(entry, for: key, into: &memory)
        }
    }

    /// Forgets a customer.
    func forget(_ customer: CustomerID, app: AppID) {
        let key = Key(customer: customer, app: app)
        memory.withLock { memory in
            memory.entries[key] = nil
            memory.older[key] = nil
        }
    }

    private func insert(_ entry: Entry, for key: Key, into memory: inout Memory) {
        if memory.entries.count >= countMax / 2, memory.entries[key] == nil {
            memory.older = memory.entries
            memory.entries = [:]
        }
        memory.entries[key] = entry
    }
}
