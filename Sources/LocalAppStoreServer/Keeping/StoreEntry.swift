import Dispatch
import Foundation
import LocalAppStore
import Synchronization

/// One entry of a store's file: values, each whole, and lists of records, each by what has changed in it.
///
/// Written as parts, each a line, a line feed, and so many bytes: `value NAME LENGTH` with JSON, and
/// `records PATH COUNT PLACES LENGTH` with two blocks of ``RecordEncoder``, the places of the records as runs, of
/// `PLACES` bytes, and the records. `list` in place of `records` begins a list anew.
struct StoreEntry: Sendable {
    /// The values that an entry may have.
    enum Name: String {
        /// ``StoreKeys``; in the first entry only.
        case keys
        /// The store as it was opened; in the first entry only.
        case origin
        /// ``DeskRecord``; in every entry.
        case desk
    }

    /// Records one after another in a list.
    struct Run: Codable {
        let start: Int
        let count: Int
    }

    /// So many records are encoded and decoded at once, each part on a core of its own.
    private static let recordsPerPart = 4_096

    /// Made when it is written, which is not the desk's business.
    private typealias Part = @Sendable () throws -> (head: String, content: [UInt8])

    private var parts: [Part] = []

    mutating func add(_ name: Name, _ json: Data) {
        parts.append { ("value \(name.rawValue)", Array(json)) }
    }

    /// Adds what has changed in a list.
    ///
    /// - Parameter places: Where the list differs from what the file has; absent where the file has nothing of it.
    mutating func add<Element>(_ list: RecordList<Element>, changedAt places: [Int]?, path: String) {
        let changed = places ?? Array(list.indices)
        for start in stride(from: 0, to: max(1, changed.count), by: Self.recordsPerPart) {
            let part = changed[start..<min(start + Self.recordsPerPart, changed.count)]
            let kind = places == nil && start == 0 ? "list" : "records"
            parts.append {
                let places = try RecordEncoder.block(of: Self.runs(of: part))
                let records = try RecordEncoder.block(of: part.map { list[$0] })
                return ("\(kind) \(path) \(list.count) \(places.count)", places + records)
            }
        }
    }

    /// The entry as it lies in the file.
    ///
    /// - Throws: What the records throw when they are encoded.
    func encoded() throws -> [UInt8] {
        let parts = try inParallel(parts) { try $0() }
        var bytes: [UInt8] = []
        bytes.reserveCapacity(parts.reduce(0) { $0 + $1.content.count + 128 })
        for (head, content) in parts {
            bytes += "\(head) \(content.count)\n".utf8
            bytes += content
        }
        return bytes
    }

    private static func runs(of places: ArraySlice<Int>) -> [Run] {
        var runs: [Run] = []
        for place in places {
            if let last = runs.last, last.start + last.count == place {
                runs[runs.count - 1] = Run(start: last.start, count: last.count + 1)
            } else {
                runs.append(Run(start: place, count: 1))
            }
        }
        return runs
    }
}

/// Does something with each element on all cores, and blocks its thread until all is done.
///
/// - Throws: What the first element throws that throws.
func inParallel<Element: Sendable, Outcome: Sendable>(
    _ elements: [Element],
    _ body: @Sendable (Element) throws -> Outcome
) throws -> [Outcome] {
    let outcomes = Mutex([Result<Outcome, any Error>?](repeating: nil, count: elements.count))
    DispatchQueue.concurrentPerform(iterations: elements.count) { number in
        let outcome = Result { try body(elements[number]) }
        outcomes.withLock { $0[number] = outcome }
    }
    return try outcomes.withLock { try $0.compactMap { try $0?.get() } }
}

/// The part of a store that any command may change.
struct DeskRecord: Codable {
    /// Whether the store ended in good order.
    let isClosed: Bool
    let store: LocalAppStore
    let followers: FollowerRegistry
    let snapshots: SnapshotShelf
}
