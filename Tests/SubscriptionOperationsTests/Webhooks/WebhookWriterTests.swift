import SubscriptionCore
import SubscriptionStorage
import SubscriptionStorageTesting
import Synchronization
import Testing

@testable import SubscriptionOperations

/// The writes of many sessions, together in few transactions.
@Suite struct `A writer of webhook results` {
    private static let app = AppID(bundleID: "com.example.app", environment: .production)

    /// Holds back the first write until the gate opens, and counts all.
    private final class GatedDatabase: SubscriptionDatabase {
        private let base = InMemoryDatabase()
        private let gate = SerialGate()
        let writes = Mutex(0)

        func read<Result: Sendable>(
            _ body: @escaping @Sendable (any StorageReading) throws(StorageError) -> Result
        ) async throws(StorageError) -> Result {
            try await base.read(body)
        }

        func write<Result: Sendable>(
            _ body: @escaping @Sendable (any StorageWriting) throws(StorageError) -> Result
        ) async throws(StorageError) -> Result {
            writes.withLock { $0 += 1 }
            return try await gate.run { () async throws(StorageError) in try await base.write(body) }
        }

        func close() async throws(StorageError) {}

        /// Runs a body while no write goes on.
        func holding(_ body: () async throws -> Void) async throws {
            try await gate.run { () async throws in try await body() }
        }
    }

    private static func write(
        _ number: Int,
        rowCount: Int = 1,
        _ body: @escaping @Sendable (any StorageWriting) throws(StorageError) -> WebhookWriteResult = { _ in
            .begun(nil)
        }
    ) -> WebhookWrite {
        let position = WebhookWrite.Position(
            app: app,
            createdAt: Timestamp(milliseconds: Int64(1_000 - number)),
            id: WebhookEndpointID(rawValue: "we_\(number)")
        )
        return WebhookWrite(position: position, rowCount: rowCount, body: body)
    }

    /// Starts all writes while the first one is held back, and returns their errors.
    private static func errors(
        of writes: [WebhookWrite],
        in database: GatedDatabase
    ) async throws -> [StorageError?] {
        let writer = WebhookWriter(database: database)
        return try await withThrowingTaskGroup(of: (Int, StorageError?).self) { group in
            try await database.holding {
                for (index, write) in writes.enumerated() {
                    group.addTask {
                        do throws(StorageError) {
                            _ = try await writer.write(write)
                            return (index, nil)
                        } catch {
                            return (index, error)
                        }
                    }
                    // The first one occupies the writer; the others wait together.
                    if index == 0 { try await until { database.writes.withLock(\.self) > 0 } }
                }
                try await until { writer.waitingCount >= writes.count - 1 }
            }
            var errors = [StorageError?](repeating: nil, count: writes.count)
            for try await (index, error) in group { errors[index] = error }
            return errors
        }
    }

    @Test func `writes what waits together, the older endpoints first`() async throws {
        let database = GatedDatabase()
        let order = Mutex<[Int]>([])
        let writes = (0..<20).map { number in
            Self.write(number) { _ in
                order.withLock { $0.append(number) }
                return .begun(nil)
            }
        }
        #expect(try await Self.errors(of: writes, in: database).allSatisfy { $0 == nil })
        #expect(database.writes.withLock(\.self) == 2)
        #expect(order.withLock(\.self) == [0] + (1..<20).reversed())
    }

    @Test func `writes each alone if one cannot be stored`() async throws {
        let database = GatedDatabase()
        let writes = (0..<5).map { number in
            Self.write(number) { _ throws(StorageError) in
                guard number != 3 else { throw StorageError(.corrupt, "A value is invalid.", isRetryable: false) }
                return .begun(nil)
            }
        }
        let errors = try await Self.errors(of: writes, in: database)
        #expect(errors.map { $0?.code } == [nil, nil, nil, .corrupt, nil])
    }

    @Test(arguments: [(StorageError.Code.busy, 1 + 3), (.full, 1)])
    func `gives up when the database is unavailable`(code: StorageError.Code, tries: Int) async throws {
        let database = GatedDatabase()
        let tried = Mutex(0)
        let error = StorageError(code, "Not now.", isRetryable: true)
        let writes =
            [Self.write(0)]
            + (1...20).map { number in
                Self.write(number) { _ throws(StorageError) in
                    tried.withLock { $0 += 1 }
                    throw error
                }
            }
        let errors = try await Self.errors(of: writes, in: database)
        #expect(errors.map { $0?.code } == [nil] + Array(repeating: code, count: 20))
        // Once together, and then some of them alone.
        #expect(tried.withLock(\.self) == tries)
    }

    @Test func `divides many rows among transactions`() async throws {
        let database = GatedDatabase()
        let writes = [Self.write(0)] + (1...4).map { Self.write($0, rowCount: 300) }
        #expect(try await Self.errors(of: writes, in: database).allSatisfy { $0 == nil })
        #expect(database.writes.withLock(\.self) == 5)
    }
}
