import Foundation
import LocalAppStore
import Synchronization

/// Finds what has changed in a store since it was recorded last.
///
/// It keeps the lists of records as they were then, which costs only the pieces that have changed since.
final class StoreRecorder: RecordSink {
    private struct State {
        /// By path, as they were recorded last.
        var recorded: [String: any Sendable] = [:]
        /// By path, as they are being recorded.
        var present: [String: any Sendable] = [:]
        var entry = StoreEntry()
    }

    private let state = Mutex(State())

    /// What a command has changed, or the whole where nothing was recorded yet.
    ///
    /// - Throws: What the encoder throws; the next entry has to be a whole one then.
    func entry(with desk: DeskRecord) throws -> StoreEntry {
        let encoder = JSONEncoder()
        if let key = CodingUserInfoKey.recordSink { encoder.userInfo[key] = self }
        let json = try encoder.encode(desk)
        return state.withLock { state in
            defer { state.entry = StoreEntry() }
            state.recorded = state.present
            state.present = [:]
            state.entry.add(.desk, json)
            return state.entry
        }
    }

    /// Forgets what was recorded, so that the next entry is a whole one.
    func reset() { state.withLock { $0 = State() } }

    func take<Element>(_ records: RecordList<Element>, at path: String) {
        state.withLock { state in
            let earlier = state.recorded[path] as? RecordList<Element>
            let places = records.places(changedSince: earlier)
            state.present[path] = records
            if let earlier, places.isEmpty, earlier.count == records.count { return }
            state.entry.add(
                places.map { records[$0] },
                at: earlier == nil ? nil : places,
                ofListAt: path,
                count: records.count
            )
        }
    }
}
