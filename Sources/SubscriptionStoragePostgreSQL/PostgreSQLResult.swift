#if PostgreSQL
    import CLibPQ
    import SubscriptionCore
    import SubscriptionStorage

    /// The result of a statement; it owns the memory.
    final class PostgreSQLResult {
        let pointer: OpaquePointer

        init(_ pointer: OpaquePointer) {
            self.pointer = pointer
        }

        deinit {
            PQclear(pointer)
        }

        var count: Int { Int(PQntuples(pointer)) }

        /// The command tag, such as `COMMIT`.
        var command: String { String(cString: PQcmdStatus(pointer)) }

        func row(_ number: Int) -> PostgreSQLRow { PostgreSQLRow(result: self, number: Int32(number)) }

        /// Decodes each row.
        func rows<Value>(_ decode: (PostgreSQLRow) throws(StorageError) -> Value) throws(StorageError) -> [Value] {
            var values: [Value] = []
            values.reserveCapacity(count)
            for number in 0..<count { values.append(try decode(row(number))) }
            return values
        }

        /// Decodes each row. With a set, rows that cannot be read are left out, and their identifiers are added to it.
        ///
        /// - Parameter column: The column of the identifiers.
        func rows<ID: TextIdentifier, Value>(
            leavingOut unreadable: inout Set<ID>?,
            by column: Int = 0,
            _ decode: (PostgreSQLRow) throws(StorageError) -> Value
        ) throws(StorageError) -> [Value] {
            var values: [Value] = []
            values.reserveCapacity(count)
            for number in 0..<count {
                let row = row(number)
                do throws(StorageError) {
                    values.append(try decode(row))
                } catch {
                    guard error.code == .corrupt, unreadable != nil else { throw error }
                    unreadable?.insert(try row.identifier(column))
                }
            }
            return values
        }

        /// Decodes the first row, if there is one.
        func first<Value>(_ decode: (PostgreSQLRow) throws(StorageError) -> Value) throws(StorageError) -> Value? {
            guard count > 0 else { return nil }
            return try decode(row(0))
        }
    }

    /// A row that is read by column index; a value of an unexpected type is an error, never a trap.
    struct PostgreSQLRow: ColumnReading {
        private let result: PostgreSQLResult
        private let number: Int32

        init(result: PostgreSQLResult, number: Int32) {
            self.result = result
            self.number = number
        }

        /// The value's bytes, valid as long as the result; nil for a null.
        private func value(_ column: Int) -> UnsafeRawBufferPointer? {
            let column = Int32(column)
            guard PQgetisnull(result.pointer, number, column) == 0 else { return nil }
            let length = Int(PQgetlength(result.pointer, number, column))
            return UnsafeRawBufferPointer(start: PQgetvalue(result.pointer, number, column), count: length)
        }

        func optionalText(_ column: Int) throws(StorageError) -> String? {
            value(column).map { String(decoding: $0, as: UTF8.self) }
        }

        func optionalInteger(_ column: Int) throws(StorageError) -> Int64? {
            guard let bytes = value(column) else { return nil }
            guard bytes.count == MemoryLayout<Int64>.size else { throw .unreadable("column \(column) is no integer") }
            return Int64(bigEndian: bytes.loadUnaligned(as: Int64.self))
        }

        func optionalBytes(_ column: Int) throws(StorageError) -> [UInt8]? {
            value(column).map { Array($0) }
        }

        func optionalFlag(_ column: Int) throws(StorageError) -> Bool? {
            guard let bytes = value(column) else { return nil }
            guard bytes.count == 1 else { throw .unreadable("column \(column) is no truth value") }
            return bytes[0] != 0
        }
    }
#endif
