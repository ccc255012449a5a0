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
        /// Whether what comes is in the file already.
        var isKnown = false
    }

    private let state = Mutex(State())

    /// What a command has changed, or the whole where nothing was recorded yet.
    ///
    /// - Throws: What the encoder throws; the next entry has to be a whole one then.
    func entry(with coordinator: CoordinatorRecord) throws -> StoreEntry {
        let json = try encode(coordinator)
        return state.withLock { state in
            defer { state.entry = StoreEntry() }
            state.recorded = state.present
            state.present = [:]
            state.entry.add(.coordinator, json)
            return state.entry
        }
    }

    /// Goes on from what a file has, so that the next entry has only what was changed since.
    ///
    /// - Throws: What the encoder throws.
    func goOn(from coordinator: CoordinatorRecord) throws {
        state.withLock { $0 = State(isKnown: true) }
        _ = try encode(coordinator)
        state.withLock { $0 = State(recorded: $0.present) }
    }

    private func encode(_ coordinator: CoordinatorRecord) throws -> Data {
        let encoder = JSONEncoder()
        if let key = CodingUserInfoKey.recordSink { encoder.userInfo[key] = self }
        return try encoder.encode(coordinator)
    }

    /// Forgets what was recorded, so that the next entry is a whole one.
    func reset() { state.withLock { $0 = State() } }

    func take<Element>(_ records: RecordList<Element>, at path: String) {
        state.withLock { state in
            state.present[path] = records
            guard !state.isKnown else { return }
            let earlier = state.recorded[path] as? RecordList<Element>
            let positions = records.positions(changedSince: earlier)
            if let earlier, positions.isEmpty, earlier.count == records.count { return }
            state.entry.add(records, changedAt: earlier == nil ? nil : positions, path: path)
        }
    }
}
