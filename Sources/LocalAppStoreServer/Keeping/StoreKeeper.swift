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
    /// The entries of the file; none while it has to be replaced.
    private var entryCount = 0
    /// The bytes of the first entry, which is the whole store.
    private var wholeBytes = 0
    /// The bytes of the others.
    private var appendedBytes = 0

    /// So much may be appended, however small the store is.
    private static let appendedBytesMin = 4 << 20

    /// Writing blocks its thread, so it has one of its own.
    private let queue = DispatchQueue(label: "perennial.store-keeper")

    /// The newest writing, under way or done.
    private var last: Task<Void, any Error>?
    /// A writing that has not begun, and so will include whatever has happened until now.
    private var upcoming: Task<Void, any Error>?

    init(_ keeping: StoreKeeping, desk: StoreDesk) {
        file = keeping.file
        keys = keeping.keys
        self.desk = desk
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
        if isClosed || appendedBytes > max(Self.appendedBytesMin, wholeBytes) { entryCount = 0 }
        let number = entryCount
        // Until the file has the entry, nobody knows what it has.
        entryCount = 0
        if number == 0 { recorder.reset() }
        var entry = try await desk.entry(recorder, isClosed: isClosed)
        if number == 0 {
            entry.add(.keys, try JSONEncoder().encode(keys))
            entry.add(.origin, try JSONEncoder().encode(desk.origin))
        }
        let written = try await write(entry, number: number)
        if number == 0 { (wholeBytes, appendedBytes) = (written, 0) } else { appendedBytes += written }
        entryCount = number + 1
    }

    private func write(_ entry: StoreEntry, number: Int) async throws -> Int {
        let (file, queue) = (file, queue)
        return try await withCheckedThrowingContinuation { (continuation: CheckedContinuation<Int, any Error>) in
            queue.async {
                continuation.resume(
                    with: Result {
                        number == 0 ? try file.replace(with: entry) : try file.append(entry, number: number)
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
}
