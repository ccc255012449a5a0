/// Records in the order in which they came, in pieces, and these in groups: a change copies one piece and one group,
/// whatever the length of the list.
///
/// Two versions of a list share the groups and the pieces in which they are equal, so what has changed between them is
/// found by comparing the addresses of groups, of the pieces in the other groups, and only then records.
package struct RecordList<Element: Sendable & Codable & Equatable>: Sendable {
    /// How many records make a piece, and how many pieces a group.
    private static var length: Int { 64 }

    /// All pieces are full but the last one in use, after which one more may be, empty; all groups but the last one.
    private var groups: [[[Element]]] = []
    /// How many pieces there are.
    private var pieceCount = 0
    /// How many records there are.
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

    /// Removes the last record; there must be one.
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

    /// Removes the last records until there are no more than so many.
    package mutating func truncate(to count: Int) {
        while self.count > count { _ = removeLast() }
    }

    mutating func removeAll() {
        guard count > 0 else { return }
        while pieceCount > 1 { removeLastPiece() }
        groups[0][0].removeAll(keepingCapacity: true)
        count = 0
    }

    /// The places whose records differ from those of an earlier version, ascending; all of them without one.
    package func places(changedSince earlier: RecordList?) -> [Int] {
        guard let earlier else { return Array(indices) }
        var places: [Int] = []
        for (number, group) in groups.enumerated() {
            let before = number < earlier.groups.count ? earlier.groups[number] : []
            guard !group.isSameStorage(as: before) else { continue }
            for (offset, piece) in group.enumerated() {
                let start = (number * Self.length + offset) * Self.length
                Self.compare(piece, with: offset < before.count ? before[offset] : [], from: start, &places)
            }
        }
        return places
    }

    /// Adds the places of the records in a piece that differ from those in an earlier one.
    private static func compare(_ piece: [Element], with before: [Element], from start: Int, _ places: inout [Int]) {
        guard !piece.isSameStorage(as: before) else { return }
        for offset in piece.indices where offset >= before.count || piece[offset] != before[offset] {
            places.append(start + offset)
        }
    }
}

extension RecordList: RandomAccessCollection, MutableCollection {
    package var startIndex: Int { 0 }

    package var endIndex: Int { count }

    package subscript(place: Int) -> Element {
        get {
            let piece = place / Self.length
            return groups[piece / Self.length][piece % Self.length][place % Self.length]
        }
        _modify {
            let piece = place / Self.length
            yield &groups[piece / Self.length][piece % Self.length][place % Self.length]
        }
    }
}

extension Array {
    /// Whether both are the same memory; equal lists may still be two.
    fileprivate func isSameStorage(as other: [Element]) -> Bool {
        guard count == other.count else { return false }
        return withUnsafeBufferPointer { mine in
            other.withUnsafeBufferPointer { mine.baseAddress == $0.baseAddress }
        }
    }
}
