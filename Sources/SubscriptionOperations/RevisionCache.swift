import SubscriptionCore
import SubscriptionStorage
import Synchronization

/// Caches the revisions of customers' current responses, so that an unchanged response need not be made again.
///
/// It stores revisions, not responses. If only this process writes, a revision is valid until a commit changes the
/// customer. Otherwise, or after ``uncheckedMax``, the customer's version is read.
final class RevisionCache: Sendable {
    /// How long a revision is used without a read if only this process writes. It limits how long a write by another
    /// process stays unnoticed.
    static let uncheckedMax = Duration.seconds(10)
    /// The maximum number of customers.
    static let countMax = 50_000

    /// The cached data of a customer.
    struct Entry: Sendable {
        let customer: CustomerRecord
        let revision: ResponseRevision
        let validity: ResponseValidity
        /// The number of commits before the read; nil if other processes write too.
        let count: CustomerCommits.Count?
        let readAt: ContinuousClock.Instant
    }

    private struct Key: Hashable {
        let customer: CustomerID
        let app: AppID
    }

    private struct Memory {
        var entries: [Key: Entry] = [:]
        /// Entries that were not used since the cache was last full; they are removed the next time.
        var older: [Key: Entry] = [:]
    }

    private let memory = Mutex(Memory())
    private let countMax: Int

    init(countMax: Int = RevisionCache.countMax) {
        self.countMax = max(2, countMax)
    }

    /// The number of cached customers.
    var count: Int { memory.withLock { $0.entries.count + $0.older.count } }

    /// The cached entry of a customer, valid or not.
    func entry(of customer: CustomerID, app: AppID) -> Entry? {
        let key = Key(customer: customer, app: app)
        return memory.withLock { memory in
            if let entry = memory.entries[key] { return entry }
            guard let entry = memory.older.removeValue(forKey: key) else { return nil }
            insert(entry, for: key, into: &memory)
            return entry
        }
    }

    /// Caches an entry.
    func remember(_ entry: Entry, app: AppID) {
        let key = Key(customer: entry.customer.id, app: app)
        memory.withLock { memory in
            memory.older[key] = nil
            insert(entry, for: key, into: &memory)
        }
    }

    /// Removes a customer.
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
