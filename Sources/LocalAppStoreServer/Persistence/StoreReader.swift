import Foundation
import LocalAppStore

/// Reconstructs a store from the entries of its file.
final class StoreReader: RecordSource {
    /// The entries contradict each other.
    struct Inconsistent: Error {}

    private struct Change: Sendable {
        let isWhole: Bool
        let count: Int
        let positions: ArraySlice<UInt8>
        let records: ArraySlice<UInt8>
    }

    private let values: [String: ArraySlice<UInt8>]
    private let changes: [String: [Change]]

    /// Parses the entries.
    ///
    /// - Throws: ``Inconsistent`` if an entry is not a sequence of parts.
    init(_ entries: [ArraySlice<UInt8>]) throws {
        var values: [String: ArraySlice<UInt8>] = [:]
        var changes: [String: [Change]] = [:]
        for entry in entries {
            var rest = entry
            while !rest.isEmpty {
                guard let end = rest.firstIndex(of: UInt8(ascii: "\n")) else { throw Inconsistent() }
                let fields = String(decoding: rest[..<end], as: UTF8.self).split(separator: " ").map(String.init)
                rest = rest[(end + 1)...]
                guard let length = fields.last.flatMap({ Int($0) }), (0...rest.count).contains(length) else {
                    throw Inconsistent()
                }
                let content = rest.prefix(length)
                rest = rest.dropFirst(length)
                if fields.count == 3, fields[0] == "value" {
                    values[fields[1]] = content
                } else {
                    let change = try Self.change(fields, content)
                    if change.isWhole { changes[fields[1]] = [] }
                    changes[fields[1], default: []].append(change)
                }
            }
        }
        self.values = values
        self.changes = changes
    }

    private static func change(_ fields: [String], _ content: ArraySlice<UInt8>) throws -> Change {
        guard fields.count == 5, ["list", "records"].contains(fields[0]), let count = Int(fields[2]), count >= 0,
            let positions = Int(fields[3]), (0...content.count).contains(positions)
        else { throw Inconsistent() }
        return Change(
            isWhole: fields[0] == "list",
            count: count,
            positions: content.prefix(positions),
            records: content.dropFirst(positions)
        )
    }

    /// A value from the last entry that contains it.
    ///
    /// - Throws: ``Inconsistent`` if no entry contains it; errors of the decoder.
    func value<Value: Decodable>(_ name: StoreEntry.Name, as type: Value.Type) throws -> Value {
        guard let json = values[name.rawValue] else { throw Inconsistent() }
        let decoder = JSONDecoder()
        // Only the coordinator's lists are recorded as changes.
        if name == .coordinator, let key = CodingUserInfoKey.recordSource { decoder.userInfo[key] = self }
        return try decoder.decode(Value.self, from: Data(json))
    }

    func records<Element>(at path: String, count: Int) throws -> RecordList<Element> {
        let changes = changes[path] ?? []
        let contents = try inParallel(changes) { change in
            (
                try RecordDecoder.records(StoreEntry.Run.self, in: change.positions),
                try RecordDecoder.records(Element.self, in: change.records)
            )
        }
        var list = RecordList<Element>()
        for (change, (runs, records)) in zip(changes, contents) {
            list.truncate(to: change.count)
            try list.set(records, at: runs)
        }
        guard list.count == count else { throw Inconsistent() }
        return list
    }
}

extension RecordList {
    /// Stores records at their positions, of which the last may be new.
    ///
    /// - Throws: `StoreReader.Inconsistent`.
    fileprivate mutating func set(_ records: [Element], at runs: [StoreEntry.Run]) throws {
        var rest = records[...]
        for run in runs {
            guard run.start >= 0, run.count >= 0, run.count <= rest.count else { throw StoreReader.Inconsistent() }
            for (offset, record) in rest.prefix(run.count).enumerated() {
                let position = run.start + offset
                guard position <= count else { throw StoreReader.Inconsistent() }
                if position < count { self[position] = record } else { append(record) }
            }
            rest = rest.dropFirst(run.count)
        }
        guard rest.isEmpty else { throw StoreReader.Inconsistent() }
    }
}
