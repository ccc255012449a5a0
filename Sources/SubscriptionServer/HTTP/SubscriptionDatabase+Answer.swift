import SubscriptionOperations
import SubscriptionStorage

extension SubscriptionDatabase {
    /// Reads for a response; a storage failure becomes 503.
    func answer<Value: Sendable>(
        _ body: @escaping @Sendable (any StorageReading) throws(StorageError) -> Value
    ) async throws(OperationError) -> Value {
        do {
            return try await read(body)
        } catch {
            throw OperationError(error)
        }
    }

    /// Writes for a response; a storage failure becomes 503.
    func change<Value: Sendable>(
        _ body: @escaping @Sendable (any StorageWriting) throws(StorageError) -> Value
    ) async throws(OperationError) -> Value {
        do {
            return try await write(body)
        } catch {
            throw OperationError(error)
        }
    }
}
