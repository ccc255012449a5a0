#if PostgreSQL
    import SubscriptionStorage

    /// The parameters of one statement in one buffer, laid out as libpq wants them.
    struct PostgreSQLParameters {
        private(set) var bytes: [UInt8] = []
        /// Where each value lies; nil is a null.
        private(set) var places: [Range<Int>?] = []

        init(_ values: [ColumnValue]) {
            places.reserveCapacity(values.count)
            for value in values { add(value) }
            // A value of no bytes at the very end must point into the buffer all the same.
            bytes.append(0)
        }

        private mutating func add(_ value: ColumnValue) {
            let start = bytes.count
            switch value {
            case .null:
                places.append(nil)
                return
            case .string(let text): bytes.append(contentsOf: text.utf8)
            case .number(let number): append(number)
            case .truth(let truth): bytes.append(truth ? 1 : 0)
            case .blob(let blob): bytes.append(contentsOf: blob)
            }
            places.append(start..<bytes.count)
        }

        private mutating func append(_ integer: some FixedWidthInteger) {
            withUnsafeBytes(of: integer.bigEndian) { bytes.append(contentsOf: $0) }
        }
    }

    /// Lists as parameters: one statement for everything that is looked for.
    extension ColumnValue {
        /// A parameter of the type `bigint[]`.
        static func numbers(_ numbers: [Int64]) -> ColumnValue {
            let bigint: Int32 = 20
            return array(of: bigint, numbers) { number, bytes in
                withUnsafeBytes(of: number.bigEndian) { bytes.append(contentsOf: $0) }
            }
        }

        /// A parameter of the type `text[]`.
        static func texts(_ identifiers: some Sequence<some RawRepresentable<String>>) -> ColumnValue {
            let text: Int32 = 25
            return array(of: text, identifiers.map(\.rawValue)) { text, bytes in bytes.append(contentsOf: text.utf8) }
        }

        /// An array in PostgreSQL's binary form: dimensions, whether there are nulls, the type of an element, length, first
        /// index; then each element behind its length.
        private static func array<Element>(
            of type: Int32,
            _ elements: [Element],
            write: (Element, inout [UInt8]) -> Void
        ) -> ColumnValue {
            var bytes: [UInt8] = []
            func append(_ number: Int32) { withUnsafeBytes(of: number.bigEndian) { bytes.append(contentsOf: $0) } }
            append(elements.isEmpty ? 0 : 1)
            append(0)
            append(type)
            guard !elements.isEmpty else { return .blob(bytes[...]) }
            append(Int32(elements.count))
            append(1)
            var element: [UInt8] = []
            for value in elements {
                element.removeAll(keepingCapacity: true)
                write(value, &element)
                append(Int32(element.count))
                bytes.append(contentsOf: element)
            }
            return .blob(bytes[...])
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
