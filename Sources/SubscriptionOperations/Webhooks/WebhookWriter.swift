import SubscriptionCore
import SubscriptionStorage

/// Writes what the sessions of many endpoints store, together in few transactions, one after another.
///
/// With a thousand endpoints each event makes a thousand small results. One transaction for each would compete with
/// the intake of notifications.
final class WebhookWriter: Sendable {
    /// The most endpoints, and about the most rows, in a transaction.
    private static let togetherMax = 64
    private static let rowsMax = 512
    /// The most endpoints that wait; each has at most one write at a time.
    private static let waitingMax = 1_000_000

    private let batcher: Batcher<WebhookWrite, Result<WebhookWriteResult, StorageError>>

    init(database: any SubscriptionDatabase) {
        batcher = Batcher(workersMax: 1, sizeMax: Self.togetherMax, waitingMax: Self.waitingMax) { batch in
            await Self.write(batch, to: database)
        }
    }

    /// The number of writes that wait for a transaction.
    var waitingCount: Int { batcher.waitingCount }

    /// Writes together with others.
    ///
    /// - Throws: ``StorageError``.
    func write(_ write: WebhookWrite) async throws(StorageError) -> WebhookWriteResult {
        let batcher = batcher
        let result: Result<WebhookWriteResult, StorageError> = await withCheckedContinuation { continuation in
            do throws(Batcher<WebhookWrite, Result<WebhookWriteResult, StorageError>>.Overloaded) {
                try batcher.take(write) { continuation.resume(returning: $0) }
            } catch {
                let message = "Too many results of webhooks wait for the database."
                continuation.resume(returning: .failure(StorageError(.busy, message, isRetryable: true)))
            }
        }
        return try result.get()
    }

    /// Writes a batch in few transactions.
    private static func write(
        _ batch: [WebhookWrite],
        to database: any SubscriptionDatabase
    ) async -> [Result<WebhookWriteResult, StorageError>] {
        // All that lock several endpoints lock the older ones first.
        let order = batch.indices.sorted { batch[$0].position < batch[$1].position }
        var results: [Int: Result<WebhookWriteResult, StorageError>] = [:]
        for part in parts(of: order.map { (index: $0, rowCount: batch[$0].rowCount) }) {
            let outcomes = await writeTogether(part.map { batch[$0] }, to: database)
            for (index, outcome) in zip(part, outcomes) { results[index] = outcome }
        }
        return batch.indices.compactMap { results[$0] }
    }

    /// Divides writes into transactions of a limited size.
    private static func parts(of writes: [(index: Int, rowCount: Int)]) -> [[Int]] {
        var (parts, rowCount): ([[Int]], Int) = ([], 0)
        for write in writes {
            if parts.isEmpty || rowCount + write.rowCount > rowsMax {
                parts.append([])
                rowCount = 0
            }
            parts[parts.count - 1].append(write.index)
            rowCount += write.rowCount
        }
        return parts
    }

    /// Writes in one transaction. If one write may have caused a failure, each is written alone.
    private static func writeTogether(
        _ batch: [WebhookWrite],
        to database: any SubscriptionDatabase
    ) async -> [Result<WebhookWriteResult, StorageError>] {
        guard batch.count > 1 else { return await writeOneByOne(batch, to: database) }
        do throws(StorageError) {
            return try await database.write { storage throws(StorageError) in
                var written: [Result<WebhookWriteResult, StorageError>] = []
                for write in batch { written.append(.success(try write.body(storage))) }
                return written
            }
        } catch {
            guard error.mayConcernOneWork else { return batch.map { _ in .failure(error) } }
            return await writeOneByOne(batch, to: database)
        }
    }

    private static func writeOneByOne(
        _ batch: [WebhookWrite],
        to database: any SubscriptionDatabase
    ) async -> [Result<WebhookWriteResult, StorageError>] {
        await OneByOne.run(batch) { write in
            do throws(StorageError) {
                return .success(try await database.write(write.body))
            } catch {
                return .failure(error)
            }
        }
    }
}

/// What a session writes.
struct WebhookWrite: Sendable {
    /// The order in which endpoints are locked.
    struct Position: Comparable, Sendable {
        let app: AppID
        let createdAt: Timestamp
        let id: WebhookEndpointID

        static func < (one: Position, other: Position) -> Bool {
            (one.app.rawValue, one.createdAt, one.id.rawValue)
                < (other.app.rawValue, other.createdAt, other.id.rawValue)
        }
    }

    let position: Position
    /// About how many rows it changes.
    let rowCount: Int
    let body: @Sendable (any StorageWriting) throws(StorageError) -> WebhookWriteResult
}

/// What a write of a session found.
enum WebhookWriteResult: Sendable {
    /// The session begins; nil if it may not.
    case begun(WebhookLease.Start?)
    /// Results were stored.
    case stored(WebhookCommit.Outcome)
}
