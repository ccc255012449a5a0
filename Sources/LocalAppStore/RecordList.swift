/// Records in the order in which they came, in pieces: a change copies one piece, whatever the length of the list.
///
/// Two versions of a list share the pieces in which they are equal, so what has changed between them is found by
/// comparing addresses, and only in the other pieces by comparing records.
package struct RecordList<Element: Sendable & Codable & Equatable>: Sendable {
    private static var pieceLength: Int { 64 }

    /// All full but the last one in use, after which one more may be, empty.
    private var pieces: [[Element]] = []
    /// How many records there are.
    package private(set) var count = 0

    package init() {}

    package mutating func append(_ element: Element) {
        let number = count / Self.pieceLength
        if number == pieces.count {
            var piece: [Element] = []
            if number > 0 { piece.reserveCapacity(Self.pieceLength) }
            pieces.append(piece)
        }
        pieces[number].append(element)
        count += 1
    }

    /// Removes the last record; there must be one.
    mutating func removeLast() -> Element {
        count -= 1
        let number = count / Self.pieceLength
        if pieces.count > number + 1 { pieces.removeLast() }
        return pieces[number].removeLast()
    }

    /// Removes the last records until there are no more than so many.
    package mutating func truncate(to count: Int) {
        while self.count > count { _ = removeLast() }
    }

    mutating func removeAll() {
        guard count > 0 else { return }
        pieces.removeLast(pieces.count - 1)
        pieces[0].removeAll(keepingCapacity: true)
        count = 0
    }

    /// The places whose records differ from those of an earlier version, ascending; all of them without one.
    package func places(changedSince earlier: RecordList?) -> [Int] {
        guard let earlier else { return Array(indices) }
        var places: [Int] = []
        for number in pieces.indices {
            let start = number * Self.pieceLength
            let piece = pieces[number]
            let before = number < earlier.pieces.count ? earlier.pieces[number] : []
            guard !piece.isSameStorage(as: before) else { continue }
            for offset in piece.indices where offset >= before.count || piece[offset] != before[offset] {
                places.append(start + offset)
            }
        }
        return places
    }
}

extension RecordList: RandomAccessCollection, MutableCollection {
    package var startIndex: Int { 0 }

    package var endIndex: Int { count }

    package subscript(place: Int) -> Element {
        get { pieces[place / Self.pieceLength][place % Self.pieceLength] }
        _modify { yield &pieces[place / Self.pieceLength][place % Self.pieceLength] }
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
