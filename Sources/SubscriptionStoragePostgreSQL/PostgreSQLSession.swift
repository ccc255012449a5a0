#if PostgreSQL
    import Foundation
    import SubscriptionStorage

    /// The database session of a thread: connects on first use and reconnects after a lost connection.
    final class PostgreSQLSession {
        private static let pauseMin = Duration.milliseconds(20)
        private static let pauseMax = Duration.seconds(1)

        private let address: PostgreSQLAddress
        private let options: PostgreSQLOptions
        private var connection: PostgreSQLConnection?
        /// The last connection error, and until when calls fail with it at once.
        private var refusal: (error: StorageError, until: ContinuousClock.Instant)?
        private var pause = pauseMin

        init(address: PostgreSQLAddress, options: PostgreSQLOptions) {
            self.address = address
            self.options = options
        }

        /// Runs a body in a transaction, with retries.
        ///
        /// - Parameter deliver: Called once with the final result; a read transaction ends afterwards.
        func transaction<Value>(
            isWriting: Bool,
            _ body: (PostgreSQLTransaction) throws(StorageError) -> Value,
            deliver: (Result<Value, StorageError>) -> Void
        ) {
            var attempts = 0
            while true {
                attempts += 1
                switch attempt(isWriting: isWriting, body) {
                case .success(let done):
                    deliver(.success(done.value))
                    if !isWriting { done.transaction.rollBack() }
                    return
                case .failure(let failure):
                    guard attempts < options.attemptsMax, canRecover(from: failure, attempts: attempts) else {
                        return deliver(.failure(failure.error))
                    }
                }
            }
        }

        private func attempt<Value>(
            isWriting: Bool,
            _ body: (PostgreSQLTransaction) throws(StorageError) -> Value
        ) -> Result<(value: Value, transaction: PostgreSQLTransaction), PostgreSQLFailure> {
            let connection: PostgreSQLConnection
            do throws(StorageError) {
                connection = try connected()
            } catch {
                return .failure(PostgreSQLFailure(error: error, recovery: .none))
            }
            let transaction = PostgreSQLTransaction(connection, isWriting: isWriting)
            do throws(StorageError) {
                try transaction.begin()
                let value = try body(transaction)
                if isWriting { try transaction.commit() }
                return .success((value, transaction))
            } catch {
                transaction.rollBack()
                return .failure(transaction.failure ?? PostgreSQLFailure(error: error, recovery: .none))
            }
        }

        /// Prepares another attempt; false if a retry does not help.
        private func canRecover(from failure: PostgreSQLFailure, attempts: Int) -> Bool {
            switch failure.recovery {
            case .none:
                return false
            case .runAgain:
                // A random backoff that grows with the number of attempts.
                let longest = 0.002 * Double(1 << min(attempts, 8))
                Thread.sleep(forTimeInterval: Double.random(in: 0...longest))
                return true
            case .connectAgain:
                connection = nil
                return true
            case .connectOnly:
                connection = nil
                return false
            }
        }

        private func connected() throws(StorageError) -> PostgreSQLConnection {
            if let connection, !connection.isLost { return connection }
            connection = nil
            if let refusal, ContinuousClock.now < refusal.until { throw refusal.error }
            do throws(StorageError) {
                let connection = try PostgreSQLConnection.connect(to: address, options: options)
                self.connection = connection
                refusal = nil
                pause = Self.pauseMin
                return connection
            } catch {
                refusal = (error, ContinuousClock.now + pause * Double.random(in: 0.5...1))
                pause = min(pause * 2, Self.pauseMax)
                throw error
            }
        }
    }
#endif
