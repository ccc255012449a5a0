import Dispatch
import Logging

/// Writes the state of a desk to its file.
///
/// A command is answered only when the file has it. Commands that arrive while the file is being written wait for the
/// next writing together, so there is one writing at a time, however many commands there are.
actor StoreKeeper {
    private let file: StoreFile
    private let keys: StoreKeys
    private let desk: StoreDesk

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
        let saved = SavedStore(
            keys: keys,
            isClosed: isClosed,
            state: await desk.state
        )
        let (file, queue) = (file, queue)
        try await withCheckedThrowingContinuation { (continuation: CheckedContinuation<Void, any Error>) in
            queue.async { continuation.resume(with: Result { try file.replace(with: saved) }) }
        }
    }
}

/// What a server needs to keep its store in a file.
struct StoreKeeping: Sendable {
    let file: StoreFile
    let keys: StoreKeys
}
