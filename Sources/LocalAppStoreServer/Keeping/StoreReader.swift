import Foundation
import LocalAppStore

/// Puts a store together from the entries of its file.
final class StoreReader: RecordSource {
    /// A list does not become what the entries say.
    struct Inconsistent: Error {}

    private struct Change {
        let count: Int
        let json: Data
    }

    private let values: [String: Data]
    private let changes: [String: [Change]]

    /// Takes the entries apart.
    ///
    /// - Throws: ``Inconsistent`` when one is no row of parts.
    init(_ entries: [ArraySlice<UInt8>]) throws {
        var values: [String: Data] = [:]
        var changes: [String: [Change]] = [:]
        for entry in entries {
            var rest = entry
            while !rest.isEmpty {
                guard let end = rest.firstIndex(of: UInt8(ascii: "\n")) else { throw Inconsistent() }
                let words = String(decoding: rest[..<end], as: UTF8.self).split(separator: " ").map(String.init)
                rest = rest[(end + 1)...]
                guard let length = words.last.flatMap({ Int($0) }), (0...rest.count).contains(length) else {
                    throw Inconsistent()
                }
                let json = Data(rest.prefix(length))
                rest = rest.dropFirst(length)
                if words.count == 3, words[0] == "value" {
                    values[words[1]] = json
                } else if words.count == 4, words[0] == "records", let count = Int(words[2]), count >= 0 {
                    changes[words[1], default: []].append(Change(count: count, json: json))
                } else {
                    throw Inconsistent()
                }
            }
        }
        self.values = values
        self.changes = changes
    }

    /// A value as the last entry has it that has it.
    ///
    /// - Throws: ``Inconsistent`` when none has; what the decoder throws.
    func value<Value: Decodable>(_ name: StoreEntry.Name, as type: Value.Type) throws -> Value {
        guard let json = values[name.rawValue] else { throw Inconsistent() }
        let decoder = JSONDecoder()
        // Only the desk's lists are recorded by their changes.
        if name == .desk, let key = CodingUserInfoKey.recordSource { decoder.userInfo[key] = self }
        return try decoder.decode(Value.self, from: json)
    }

    func records<Element>(at path: String, count: Int) throws -> RecordList<Element> {
        var list = RecordList<Element>()
        for change in changes[path] ?? [] {
            let content = try JSONDecoder().decode(StoreEntry.Changes<Element>.self, from: change.json)
            try list.apply(content, count: change.count)
        }
        guard list.count == count else { throw Inconsistent() }
        return list
    }
}

extension RecordList {
    /// Becomes what a change says.
    ///
    /// - Throws: `StoreReader.Inconsistent`.
    fileprivate mutating func apply(_ change: StoreEntry.Changes<Element>, count: Int) throws {
        if change.places == nil { self = RecordList() }
        let places = change.places ?? Array(change.values.indices)
        guard places.count == change.values.count else { throw StoreReader.Inconsistent() }
        truncate(to: count)
        for (place, value) in zip(places, change.values) {
            if indices.contains(place) {
                self[place] = value
            } else {
                guard place == self.count else { throw StoreReader.Inconsistent() }
                append(value)
            }
        }
        guard self.count == count else { throw StoreReader.Inconsistent() }
    }
}
