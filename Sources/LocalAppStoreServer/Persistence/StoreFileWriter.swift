import Dispatch
import Foundation
import Logging

/// Writes the state of a coordinator to its file.
///
/// A command is answered after the file contains its changes. Changes are appended. When the appended part is longer
/// than the store itself, the file is replaced, so it is never much longer than twice the store. Commands that arrive
/// during a write share the next write, so only one write runs at a time.
actor StoreFileWriter {
    private let file: StoreFile
    private let keys: StoreKeys
    private let coordinator: StoreCoordinator

    private let recorder = StoreRecorder()
    /// The extent of the file; absent if it must be replaced.
    private var extent: StoreFileExtent?

    /// The minimum of bytes that may be appended before a replacement. A file up to this size is rewritten when the
    /// store is closed.
    private static let appendedBytesMin = 4 << 20

    /// Writing blocks its thread, so it has a dispatch queue of its own.
    private let queue = DispatchQueue(label: "perennial.store-file")

    /// The newest write, running or done.
    private var last: Task<Void, any Error>?
    /// A write that has not started and will include all changes until then.
    private var upcoming: Task<Void, any Error>?

    /// - Throws: Errors of the encoder.
    init(_ persistence: StorePersistence, coordinator: StoreCoordinator) throws {
        file = persistence.file
        keys = persistence.keys
        self.coordinator = coordinator
        guard let saved = persistence.saved else { return }
        try recorder.goOn(from: saved.record)
        extent = saved.extent
    }

    /// Returns when the file contains all changes before the call.
    ///
    /// - Throws: ``StoreFileError`` with `data_not_written`.
    func save() async throws {
        try await (upcoming ?? makeUpcoming()).value
    }

    /// Saves the changes of the running clock; no caller receives a failure, so it is logged.
    func saveAfterTick(_ logger: Logger) async {
        do {
            try await save()
        } catch {
            logger.error("the store's file could not be written", metadata: ["error": "\(error)"])
        }
    }

    /// Writes the file for the last time.
    ///
    /// - Throws: ``StoreFileError`` with `data_not_written`.
    func close() async throws {
        _ = await last?.result
        try await write(isClosed: true)
        // Earlier work has released the file then, so that another store can lock it at once.
        await withCheckedContinuation { (continuation: CheckedContinuation<Void, Never>) in
            queue.async { continuation.resume() }
        }
    }

    // A separate task: all waiting callers share the write, and it continues when one of them is cancelled.
    private func makeUpcoming() -> Task<Void, any Error> {
        let previous = last
        let task = Task {
            _ = await previous?.result
            upcoming = nil
            try await write(isClosed: false)
        }
        last = task
        upcoming = task
        return task
    }

    private func write(isClosed: Bool) async throws {
        let present = extent.flatMap { canAppend(to: $0, isClosed: isClosed) ? $0 : nil }
        // Until the write succeeds, the content of the file is unknown.
        extent = nil
        if present == nil { recorder.reset() }
        var entry = try await coordinator.entry(recorder, isClosed: isClosed)
        if present == nil {
            entry.add(.keys, try JSONEncoder().encode(keys))
            entry.add(.origin, try JSONEncoder().encode(coordinator.origin))
        }
        extent = try await write(entry, after: present)
    }

    private func canAppend(to extent: StoreFileExtent, isClosed: Bool) -> Bool {
        if isClosed, extent.bytes <= Self.appendedBytesMin { return false }
        return extent.appendedBytes <= max(Self.appendedBytesMin, extent.wholeBytes)
    }

    private func write(_ entry: StoreEntry, after extent: StoreFileExtent?) async throws -> StoreFileExtent {
        let (file, queue) = (file, queue)
        return try await withCheckedThrowingContinuation {
            (continuation: CheckedContinuation<StoreFileExtent, any Error>) in
            queue.async {
                continuation.resume(
                    with: Result {
                        if let extent { try file.append(entry, to: extent) } else { try file.replace(with: entry) }
                    }
                )
            }
        }
    }
}

/// The parameters of the persistence of a store.
struct StorePersistence: Sendable {
    let file: StoreFile
    let keys: StoreKeys
    /// The current content of the file; absent for a new one.
    let saved: SavedStore?
}
