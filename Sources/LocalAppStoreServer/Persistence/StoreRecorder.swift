import Foundation
import LocalAppStore
import Synchronization

/// Finds the changes of a store since the last recording.
///
/// It holds the previous lists of records, which share all unchanged pieces.
final class StoreRecorder: RecordSink {
    private struct State {
        /// The previously recorded lists, by path.
        var recorded: [String: any Sendable] = [:]
        /// The lists of the current recording, by path.
        var present: [String: any Sendable] = [:]
        var entry = StoreEntry()
        /// Whether the current state is already in the file.
        var isKnown = false
    }

    private let state = Mutex(State())

    /// The changes of a command, or the complete store if nothing was recorded yet.
    ///
    /// - Throws: Errors of the encoder; the next entry must be complete then.
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

    /// Continues from the content of a file, so that the next entry has only later changes.
    ///
    /// - Throws: Errors of the encoder.
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

    /// Discards the recorded state, so that the next entry is complete.
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
