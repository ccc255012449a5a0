#if PostgreSQL
    import CLibPQ
    import SubscriptionCore
    import SubscriptionStorage

    /// What one statement gave; its memory goes when this does.
    final class PostgreSQLResult {
        let pointer: OpaquePointer

        init(_ pointer: OpaquePointer) {
            self.pointer = pointer
        }

        deinit {
            PQclear(pointer)
        }

        var count: Int { Int(PQntuples(pointer)) }

        /// What the server says it did, such as `COMMIT`.
        var command: String { String(cString: PQcmdStatus(pointer)) }

        func row(_ number: Int) -> PostgreSQLRow { PostgreSQLRow(result: self, number: Int32(number)) }

        /// Decodes each row.
        func rows<Value>(_ decode: (PostgreSQLRow) throws(StorageError) -> Value) throws(StorageError) -> [Value] {
            var values: [Value] = []
            values.reserveCapacity(count)
            for number in 0..<count { values.append(try decode(row(number))) }
            return values
        }

        /// Decodes the first row, if there is one.
        func first<Value>(_ decode: (PostgreSQLRow) throws(StorageError) -> Value) throws(StorageError) -> Value? {
            guard count > 0 else { return nil }
            return try decode(row(0))
        }
    }

    /// A row read by the places of its columns; a value of another type than was written is an error, never a trap.
    struct PostgreSQLRow {
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

        func optionalIdentifier<ID: TextIdentifier>(_ column: Int) throws(StorageError) -> ID? {
            try optionalText(column).map(ID.init(rawValue:))
        }

        func optionalTime(_ column: Int) throws(StorageError) -> Timestamp? {
            try optionalInteger(column).map(Timestamp.init(milliseconds:))
        }

        func optionalCount(_ column: Int) throws(StorageError) -> Int? {
            guard let integer = try optionalInteger(column) else { return nil }
            guard let count = Int(exactly: integer) else { throw .unreadable("column \(column) is too large") }
            return count
        }

        /// A value of a closed set, by its text.
        func optionalChoice<Choice: RawRepresentable<String>>(_ column: Int) throws(StorageError) -> Choice? {
            guard let text = try optionalText(column) else { return nil }
            guard let choice = Choice(rawValue: text) else {
                throw .unreadable("column \(column) has an unknown value")
            }
            return choice
        }

        /// An amount in two columns, both present or both absent.
        func optionalMoney(_ column: Int) throws(StorageError) -> Money? {
            guard let milliunits = try optionalInteger(column) else { return nil }
            return Money(milliunits: milliunits, currency: try text(column + 1))
        }

        /// An offer in four columns: kind, payment, identifier, period.
        func optionalOffer(_ column: Int) throws(StorageError) -> Offer? {
            guard let kind: Offer.Kind = try optionalChoice(column) else { return nil }
            return Offer(
                kind: kind,
                payment: try optionalChoice(column + 1),
                identifier: try optionalText(column + 2),
                period: try optionalText(column + 3)
            )
        }
    }

    extension PostgreSQLRow {
        func text(_ column: Int) throws(StorageError) -> String { try present(optionalText(column), column) }

        func integer(_ column: Int) throws(StorageError) -> Int64 { try present(optionalInteger(column), column) }

        func bytes(_ column: Int) throws(StorageError) -> [UInt8] { try present(optionalBytes(column), column) }

        func time(_ column: Int) throws(StorageError) -> Timestamp { try present(optionalTime(column), column) }

        func count(_ column: Int) throws(StorageError) -> Int { try present(optionalCount(column), column) }

        func flag(_ column: Int) throws(StorageError) -> Bool { try present(optionalFlag(column), column) }

        func identifier<ID: TextIdentifier>(_ column: Int) throws(StorageError) -> ID {
            try present(optionalIdentifier(column), column)
        }

        func choice<Choice: RawRepresentable<String>>(_ column: Int) throws(StorageError) -> Choice {
            try present(optionalChoice(column), column)
        }

        private func present<Value>(_ value: Value?, _ column: Int) throws(StorageError) -> Value {
            guard let value else { throw .unreadable("column \(column) is absent") }
            return value
        }
    }
#endif
