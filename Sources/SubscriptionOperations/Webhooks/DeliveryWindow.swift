/// The order of an endpoint's deliveries: what may be sent now, what waits behind what, and how far the cursor may
/// move.
///
/// It is a pure state machine. Items are added in the order of the feed. Items with the same key are sent one after
/// another. After a failure the later ones with the key are held back, until the failed one is delivered, given up or
/// overtaken.
struct DeliveryWindow {
    /// An item of the feed.
    struct Item: Hashable, Sendable {
        /// The position in the feed.
        let sequence: Int64
        /// The key; nil if its order does not matter.
        let key: String?
    }

    /// What became of an item that was sent.
    enum Outcome: Hashable, Sendable {
        /// It was delivered, or given up: nothing waits for it any more.
        case done
        /// It is sent again later, and the later ones with its key wait.
        case blocks
        /// It is sent again later, and nothing waits for it.
        case overtaken
    }

    /// The position up to which items were added.
    private(set) var readThrough: Int64
    /// The keys for which a stored delivery is waiting.
    private(set) var blockedKeys: Set<String>

    /// The items that were added and are not all settled, in order.
    private var pending: [(sequence: Int64, isSettled: Bool)] = []
    private var pendingStart = 0
    /// The items that may be sent now, in order.
    private var ready: [Item] = []
    private var readyStart = 0
    /// The keys with an item that is ready or in flight, and the items behind it.
    private var behind: [String: [Item]] = [:]

    /// Makes a window.
    ///
    /// - Parameters:
    ///   - cursor: The position up to which everything is settled.
    ///   - blockedKeys: The keys for which a stored delivery is waiting.
    init(cursor: Int64, blockedKeys: Set<String>) {
        readThrough = cursor
        self.blockedKeys = blockedKeys
    }

    /// Everything up to this position is settled: delivered, given up, skipped, waiting in storage, or held back.
    var settledThrough: Int64 {
        pendingStart < pending.count ? pending[pendingStart].sequence - 1 : readThrough
    }

    /// The number of items that were added and are not settled, and of settled ones between them.
    var count: Int { pending.count - pendingStart }

    /// Whether an item may be sent now.
    var hasReady: Bool { readyStart < ready.count }

    /// Adds an item that is not sent.
    mutating func skip(through sequence: Int64) {
        readThrough = max(readThrough, sequence)
    }

    /// Adds an item.
    ///
    /// - Returns: Whether it is held back by a stored delivery; then it is settled once that is stored.
    mutating func add(_ item: Item) -> Bool {
        readThrough = item.sequence
        pending.append((item.sequence, false))
        guard let key = item.key else {
            ready.append(item)
            return false
        }
        if blockedKeys.contains(key) {
            settle(item.sequence)
            return true
        }
        if behind[key] == nil {
            behind[key] = []
            ready.append(item)
        } else {
            behind[key]?.append(item)
        }
        return false
    }

    /// The next item to send; nil if none is ready.
    mutating func next() -> Item? {
        guard hasReady else { return nil }
        defer {
            readyStart += 1
            if readyStart > 1_024, readyStart * 2 > ready.count {
                ready.removeFirst(readyStart)
                readyStart = 0
            }
        }
        return ready[readyStart]
    }

    /// Notes what became of an item.
    ///
    /// - Returns: The items that are held back because of it, in order.
    mutating func finish(_ item: Item, _ outcome: Outcome) -> [Item] {
        settle(item.sequence)
        guard let key = item.key else { return [] }
        guard outcome == .blocks else {
            if var rest = behind[key], !rest.isEmpty {
                ready.append(rest.removeFirst())
                behind[key] = rest
            } else {
                behind[key] = nil
            }
            return []
        }
        blockedKeys.insert(key)
        let held = behind.removeValue(forKey: key) ?? []
        for item in held { settle(item.sequence) }
        return held
    }

    /// Notes that no stored delivery with a key is waiting any more.
    mutating func unblock(_ key: String) { blockedKeys.remove(key) }

    private mutating func settle(_ sequence: Int64) {
        var (low, high) = (pendingStart, pending.count)
        while low < high {
            let middle = (low + high) / 2
            if pending[middle].sequence < sequence { low = middle + 1 } else { high = middle }
        }
        guard low < pending.count, pending[low].sequence == sequence else { return }
        pending[low].isSettled = true
        while pendingStart < pending.count, pending[pendingStart].isSettled { pendingStart += 1 }
        if pendingStart > 1_024, pendingStart * 2 > pending.count {
            pending.removeFirst(pendingStart)
            pendingStart = 0
        }
    }
}
