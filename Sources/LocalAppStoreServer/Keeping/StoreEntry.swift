import Foundation
import LocalAppStore

/// One entry of a store's file: values, each whole, and lists of records, each by what has changed in it.
///
/// Written as parts, each a line (`value NAME LENGTH` or `records PATH COUNT LENGTH`), a line feed, and so many bytes of
/// JSON.
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

    /// What has changed in a list of records.
    struct Changes<Element: Codable>: Codable {
        /// Where the records lie; absent when they are the whole list.
        let places: [Int]?
        let values: [Element]
    }

    /// Made when it is written, which is not the desk's business.
    struct Part: Sendable {
        let head: String
        let json: @Sendable () throws -> Data
    }

    private(set) var parts: [Part] = []

    mutating func add(_ name: Name, _ json: Data) {
        parts.append(Part(head: "value \(name.rawValue)") { json })
    }

    mutating func add<Element: Sendable & Codable>(
        _ values: [Element],
        at places: [Int]?,
        ofListAt path: String,
        count: Int
    ) {
        parts.append(
            Part(head: "records \(path) \(count)") {
                try JSONEncoder().encode(Changes(places: places, values: values))
            }
        )
    }

    /// The entry as it lies in the file.
    ///
    /// - Throws: What the encoder of the records throws.
    func encoded() throws -> [UInt8] {
        var bytes: [UInt8] = []
        for part in parts {
            let json = try part.json()
            bytes += "\(part.head) \(json.count)\n".utf8
            bytes += json
        }
        return bytes
    }
}

/// The part of a store that any command may change.
struct DeskRecord: Codable {
    /// Whether the store ended in good order.
    let isClosed: Bool
    let store: LocalAppStore
    let followers: FollowerRegistry
    let snapshots: SnapshotShelf
}
