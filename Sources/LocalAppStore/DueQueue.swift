/// A queue of due items: a binary heap ordered by time, and by insertion for equal times.
struct DueQueue<Item: Sendable & Codable & Equatable>: Sendable, Codable {
    /// One item and its time.
    struct Entry: Equatable, Sendable, Codable {
        let dueAt: Int64
        let sequence: Int
        let item: Item

        func isBefore(_ other: Entry) -> Bool {
            (dueAt, sequence) < (other.dueAt, other.sequence)
        }
    }

    private var heap = RecordList<Entry>()
    private var sequence = 0

    /// The entry with the earliest time.
    var first: Entry? { heap.first }

    mutating func push(_ item: Item, dueAt: Int64) {
        sequence += 1
        heap.append(Entry(dueAt: dueAt, sequence: sequence, item: item))
        var child = heap.count - 1
        while child > 0 {
            let parent = (child - 1) / 2
            guard heap[child].isBefore(heap[parent]) else { return }
            heap.swapAt(child, parent)
            child = parent
        }
    }

    /// Removes and returns the earliest entry if it is due.
    mutating func pop(dueAtOrBefore limit: Int64) -> Entry? {
        guard let first = heap.first, first.dueAt <= limit else { return nil }
        removeFirst()
        return first
    }

    mutating func removeFirst() {
        guard heap.count > 1 else {
            heap.removeAll()
            return
        }
        heap[0] = heap.removeLast()
        var parent = 0
        while true {
            var smallest = parent
            for child in [2 * parent + 1, 2 * parent + 2] where child < heap.count {
                if heap[child].isBefore(heap[smallest]) { smallest = child }
            }
            guard smallest != parent else { return }
            heap.swapAt(parent, smallest)
            parent = smallest
        }
    }

    mutating func removeAll() { heap.removeAll() }
}
