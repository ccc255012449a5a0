/// An append-ordered list of records in pieces and groups of pieces: a change copies one piece and one group, whatever
/// the length of the list.
///
/// Two versions of a list share equal groups and pieces. Their differences are found by comparing addresses of groups,
/// then of pieces, and only then records.
package struct RecordList<Element: Sendable & Codable & Equatable>: Sendable {
    /// The number of records per piece, and of pieces per group.
    private static var length: Int { 64 }

    /// All pieces are full except the last used one, which may be followed by one empty piece. All groups are full
    /// except the last.
    private var groups: [[[Element]]] = []
    /// The number of pieces.
    private var pieceCount = 0
    /// The number of records.
    package private(set) var count = 0

    package init() {}

    package mutating func append(_ element: Element) {
        let piece = count / Self.length
        let group = piece / Self.length
        if piece == pieceCount {
            if group == groups.count { groups.append([]) }
            var records: [Element] = []
            if piece > 0 { records.reserveCapacity(Self.length) }
            groups[group].append(records)
            pieceCount += 1
        }
        groups[group][piece % Self.length].append(element)
        count += 1
    }

    /// Removes the last record, which must exist.
    mutating func removeLast() -> Element {
        count -= 1
        let piece = count / Self.length
        if pieceCount > piece + 1 { removeLastPiece() }
        return groups[piece / Self.length][piece % Self.length].removeLast()
    }

    private mutating func removeLastPiece() {
        groups[groups.count - 1].removeLast()
        if groups[groups.count - 1].isEmpty { groups.removeLast() }
        pieceCount -= 1
    }

    /// Removes the last records down to a count.
    package mutating func truncate(to count: Int) {
        while self.count > count { _ = removeLast() }
    }

    mutating func removeAll() {
        guard count > 0 else { return }
        while pieceCount > 1 { removeLastPiece() }
        groups[0][0].removeAll(keepingCapacity: true)
        count = 0
    }

    /// The positions of records that differ from an earlier version, ascending; all positions without one.
    package func positions(changedSince earlier: RecordList?) -> [Int] {
        guard let earlier else { return Array(indices) }
        var positions: [Int] = []
        for (number, group) in groups.enumerated() {
            let before = number < earlier.groups.count ? earlier.groups[number] : []
            guard !group.isSameStorage(as: before) else { continue }
            for (offset, piece) in group.enumerated() {
                let start = (number * Self.length + offset) * Self.length
                Self.compare(piece, with: offset < before.count ? before[offset] : [], from: start, &positions)
            }
        }
        return positions
    }

    /// Adds the positions of records in a piece that differ from an earlier piece.
    private static func compare(_ piece: [Element], with before: [Element], from start: Int, _ positions: inout [Int]) {
        guard !piece.isSameStorage(as: before) else { return }
        for offset in piece.indices where offset >= before.count || piece[offset] != before[offset] {
            positions.append(start + offset)
        }
    }
}

extension RecordList: RandomAccessCollection, MutableCollection {
    package var startIndex: Int { 0 }

    package var endIndex: Int { count }

    package subscript(position: Int) -> Element {
        get {
            let piece = position / Self.length
            return groups[piece / Self.length][piece % Self.length][position % Self.length]
        }
        _modify {
            let piece = position / Self.length
            yield &groups[piece / Self.length][piece % Self.length][position % Self.length]
        }
    }
}

extension Array {
    /// Whether both share the same memory; equal lists may still have separate memory.
    fileprivate func isSameStorage(as other: [Element]) -> Bool {
        guard count == other.count else { return false }
        return withUnsafeBufferPointer { mine in
            other.withUnsafeBufferPointer { mine.baseAddress == $0.baseAddress }
        }
    }
}
