#if PostgreSQL
    import SubscriptionStorage

    /// The parameters of a statement in one buffer, in libpq's layout.
    struct PostgreSQLParameters {
        /// The first byte belongs to no value, so that the pointer of an empty value is always inside the buffer.
        private(set) var bytes: [UInt8] = [0]
        /// The range of each value; nil for a null.
        private(set) var ranges: [Range<Int>?] = []
        /// Whether a text contains a zero character, at which the server would truncate it.
        private(set) var hasZeroCharacter = false

        init(_ values: [ColumnValue]) {
            ranges.reserveCapacity(values.count)
            for value in values {
                let start = bytes.count
                let isThere = append(value)
                ranges.append(isThere ? start..<bytes.count : nil)
            }
        }

        /// Adds an array in PostgreSQL's binary form: dimensions, whether there are nulls, the type of an element,
        /// length, first index; then the length and bytes of each element.
        mutating func add(_ elements: some Collection<ColumnValue>, type: PostgreSQLType) {
            let start = bytes.count
            for number in [elements.isEmpty ? 0 : 1, 1, type.number] { append(number) }
            if !elements.isEmpty { for number in [Int32(elements.count), 1] { append(number) } }
            for element in elements {
                let offset = bytes.count
                append(Int32(-1))
                guard append(element) else { continue }
                let length = Int32(bytes.count - offset - MemoryLayout<Int32>.size)
                withUnsafeBytes(of: length.bigEndian) { length in
                    bytes.replaceSubrange(offset..<(offset + length.count), with: length)
                }
            }
            ranges.append(start..<bytes.count)
        }

        /// Appends a value's bytes; false for a null, which has none.
        private mutating func append(_ value: ColumnValue) -> Bool {
            switch value {
            case .null: return false
            case .string(var text):
                text.withUTF8 { text in
                    bytes.append(contentsOf: text)
                    if UnsafeRawBufferPointer(text).offset(of: 0) != nil { hasZeroCharacter = true }
                }
            case .number(let number): append(number)
            case .truth(let truth): bytes.append(truth ? 1 : 0)
            case .blob(let blob): bytes.append(contentsOf: blob)
            }
            return true
        }

        private mutating func append(_ integer: some FixedWidthInteger) {
            withUnsafeBytes(of: integer.bigEndian) { bytes.append(contentsOf: $0) }
        }
    }

    /// Arrays as parameters, for one statement with several keys.
    extension ColumnValue {
        /// A parameter of the type `bigint[]`.
        static func numbers(_ numbers: some Sequence<Int64>) -> ColumnValue {
            list(numbers.map(ColumnValue.number), type: .bigint)
        }

        /// A parameter of the type `text[]`.
        static func texts(_ identifiers: some Sequence<some RawRepresentable<String>>) -> ColumnValue {
            list(identifiers.map { .string($0.rawValue) }, type: .text)
        }

        /// A parameter of the type `text[]`.
        static func texts(_ texts: [String]) -> ColumnValue {
            list(texts.map(ColumnValue.string), type: .text)
        }

        private static func list(_ values: [ColumnValue], type: PostgreSQLType) -> ColumnValue {
            var parameters = PostgreSQLParameters([])
            parameters.add(values, type: type)
            return .blob(parameters.bytes.dropFirst())
        }
    }

    /// A statement with a name of its own, prepared once per connection.
    struct PostgreSQLStatement: Sendable {
        let name: String
        let text: String

        init(_ name: String, _ text: String) {
            self.name = name
            self.text = text
        }
    }
#endif
