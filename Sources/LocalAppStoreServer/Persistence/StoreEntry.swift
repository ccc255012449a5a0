import Dispatch
import Foundation
import LocalAppStore
import Synchronization

/// One entry of a store's file: complete values, and the changes of record lists.
///
/// An entry consists of parts. Each part is a line, a line feed, and the bytes. `value NAME LENGTH` has JSON. `records
/// PATH COUNT POSITIONS LENGTH` has two blocks of ``RecordEncoder``: the positions of the records as runs, of
/// `POSITIONS` bytes, and the records. `list` instead of `records` replaces the list.
struct StoreEntry: Sendable {
    /// The possible values of an entry.
    enum Name: String {
        /// ``StoreKeys``; in the first entry only.
        case keys
        /// The store in its initial state; in the first entry only.
        case origin
        /// ``CoordinatorRecord``; in every entry.
        case coordinator = "desk"
    }

    /// Consecutive records of a list.
    struct Run: Codable {
        let start: Int
        let count: Int
    }

    /// The number of records per part; the parts are encoded and decoded on separate cores.
    private static let recordsPerPart = 4_096

    /// Evaluated when the entry is written, outside the coordinator.
    private typealias Part = @Sendable () throws -> (head: String, content: [UInt8])

    private var parts: [Part] = []

    mutating func add(_ name: Name, _ json: Data) {
        parts.append { ("value \(name.rawValue)", Array(json)) }
    }

    /// Adds the changes of a list.
    ///
    /// - Parameter positions: The changed positions; absent if the file has no such list.
    mutating func add<Element>(_ list: RecordList<Element>, changedAt positions: [Int]?, path: String) {
        let changed = positions ?? Array(list.indices)
        for start in stride(from: 0, to: max(1, changed.count), by: Self.recordsPerPart) {
            let part = changed[start..<min(start + Self.recordsPerPart, changed.count)]
            let kind = positions == nil && start == 0 ? "list" : "records"
            parts.append {
                let positions = try RecordEncoder.block(of: Self.runs(of: part))
                let records = try RecordEncoder.block(of: part.map { list[$0] })
                return ("\(kind) \(path) \(list.count) \(positions.count)", positions + records)
            }
        }
    }

    /// The bytes of the entry.
    ///
    /// - Throws: Errors of the records' encoding.
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

    private static func runs(of positions: ArraySlice<Int>) -> [Run] {
        var runs: [Run] = []
        for position in positions {
            if let last = runs.last, last.start + last.count == position {
                runs[runs.count - 1] = Run(start: last.start, count: last.count + 1)
            } else {
                runs.append(Run(start: position, count: 1))
            }
        }
        return runs
    }
}

/// Processes all elements on all cores, and blocks its thread until all are done.
///
/// - Throws: The error of the first element that fails.
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

/// The part of a store that commands can change.
struct CoordinatorRecord: Codable {
    /// Whether the store was closed properly.
    let isClosed: Bool
    let store: LocalAppStore
    let followers: FollowerRegistry
    let snapshots: SnapshotList
    /// The developer's keys; absent while there is only the first one, and in files of older versions.
    let clientKeys: ClientKeys?
}
