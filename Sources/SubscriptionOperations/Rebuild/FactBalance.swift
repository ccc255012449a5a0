import SubscriptionCore
import SubscriptionStorage

/// Finds stored facts without evidence, with the same memory for any number of facts.
///
/// Each fact that was found in an input and in its ledger is added, and each stored fact is subtracted. Purchases share
/// counters. Where a counter is not zero, a fact of one of its purchases has no evidence, differs from it, or changed
/// meanwhile. The hash has a random key for each run, so a fact cannot be made to balance another. The index of
/// transactions has a balance of its own.
struct FactBalance {
    /// 8 MB of counters.
    private static let countersCount = 1 << 20

    private var counters = [UInt64](repeating: 0, count: countersCount)

    /// A fact as it counts.
    struct Entry: Sendable {
        fileprivate let counter: Int
        fileprivate let value: UInt64

        init(_ fact: Fact) {
            counter = FactBalance.counter(of: fact.originalID)
            var hasher = Hasher()
            hasher.combine(fact)
            // Never 0, so that every fact counts.
            value = UInt64(truncatingIfNeeded: hasher.finalize()) | 1
        }

        init(_ entry: IndexedTransaction) {
            counter = FactBalance.counter(of: entry.purchaseID)
            var hasher = Hasher()
            hasher.combine(entry)
            value = UInt64(truncatingIfNeeded: hasher.finalize()) | 1
        }
    }

    /// Adds facts that were found in their inputs.
    mutating func add(_ entries: [Entry]) {
        for entry in entries { counters[entry.counter] &+= entry.value }
    }

    /// Subtracts stored facts.
    mutating func subtract(_ entries: [Entry]) {
        for entry in entries { counters[entry.counter] &-= entry.value }
    }

    /// Whether every stored fact was found in its input.
    var isBalanced: Bool { counters.allSatisfy { $0 == 0 } }

    /// Whether a purchase may have a fact without evidence.
    func isOpen(_ purchase: OriginalTransactionID) -> Bool { counters[Self.counter(of: purchase)] != 0 }

    private static func counter(of purchase: OriginalTransactionID) -> Int {
        var hasher = Hasher()
        hasher.combine(purchase)
        return Int(truncatingIfNeeded: UInt(bitPattern: hasher.finalize()) % UInt(countersCount))
    }
}
