import Dispatch
import Foundation
import Logging

/// Keeps the state of a desk in its file.
///
/// A command is answered only when the file has it: what the command changed is appended, and when what was appended is
/// longer than the store itself, the file is replaced, so that it is never much longer than twice the store. Commands
/// that arrive while the file is being written wait for the next writing together, so there is one writing at a time,
/// however many commands there are.
actor StoreKeeper {
    private let file: StoreFile
    private let keys: StoreKeys
    private let desk: StoreDesk

    private let recorder = StoreRecorder()
    /// How far the file reaches; absent while it has to be replaced.
    private var extent: StoreFileExtent?

    /// So much may be appended, however small the store is; and a store whose file is no longer than that is written as
    /// a whole when it is closed.
    private static let appendedBytesMin = 4 << 20

    /// Writing blocks its thread, so it has one of its own.
    private let queue = DispatchQueue(label: "perennial.store-keeper")

    /// The newest writing, under way or done.
    private var last: Task<Void, any Error>?
    /// A writing that has not begun, and so will include whatever has happened until now.
    private var upcoming: Task<Void, any Error>?

    /// - Throws: What the encoder throws.
    init(_ keeping: StoreKeeping, desk: StoreDesk) throws {
        file = keeping.file
        keys = keeping.keys
        self.desk = desk
        guard let saved = keeping.saved else { return }
        try recorder.goOn(from: saved.record)
        extent = saved.extent
    }

    /// Returns when the file has everything that happened before the call.
    ///
    /// - Throws: ``StoreFileError`` with `data_not_written`.
    func save() async throws {
        try await (upcoming ?? makeUpcoming()).value
    }

    /// Saves what the running clock made happen; nobody waits for an answer that could name a failure.
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
        // The work before this has let go of the file by then, so that another store may take hold of it at once.
        await withCheckedContinuation { (continuation: CheckedContinuation<Void, Never>) in
            queue.async { continuation.resume() }
        }
    }

    // A task of its own, since the writing belongs to all who wait for it and goes on when one of them is cancelled.
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
        // Until the file has the entry, nobody knows what it has.
        extent = nil
        if present == nil { recorder.reset() }
        var entry = try await desk.entry(recorder, isClosed: isClosed)
        if present == nil {
            entry.add(.keys, try JSONEncoder().encode(keys))
            entry.add(.origin, try JSONEncoder().encode(desk.origin))
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

/// What a server needs to keep its store in a file.
struct StoreKeeping: Sendable {
    let file: StoreFile
    let keys: StoreKeys
    /// What the file holds already; absent for a new one.
    let saved: SavedStore?
}
