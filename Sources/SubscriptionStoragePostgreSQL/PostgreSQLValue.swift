#if PostgreSQL
    import SubscriptionCore

    /// A parameter of a statement, in PostgreSQL's binary form.
    enum PostgreSQLValue {
        case null
        case string(String)
        case number(Int64)
        case truth(Bool)
        case blob(ArraySlice<UInt8>)
        case numbers([Int64])

        static func text(_ text: String?) -> PostgreSQLValue { text.map(PostgreSQLValue.string) ?? .null }

        static func text(_ value: (some RawRepresentable<String>)?) -> PostgreSQLValue {
            value.map { .string($0.rawValue) } ?? .null
        }

        static func integer(_ integer: (some BinaryInteger)?) -> PostgreSQLValue {
            integer.map { .number(Int64($0)) } ?? .null
        }

        static func time(_ time: Timestamp?) -> PostgreSQLValue { time.map { .number($0.milliseconds) } ?? .null }

        static func flag(_ flag: Bool?) -> PostgreSQLValue { flag.map(PostgreSQLValue.truth) ?? .null }

        static func bytes(_ bytes: [UInt8]) -> PostgreSQLValue { .blob(bytes[...]) }

        static func money(_ money: Money?) -> [PostgreSQLValue] {
            [.integer(money?.milliunits), .text(money?.currency)]
        }

        static func offer(_ offer: Offer?) -> [PostgreSQLValue] {
            [.text(offer?.kind), .text(offer?.payment), .text(offer?.identifier), .text(offer?.period)]
        }
    }

    /// The parameters of one statement in one buffer, laid out as libpq wants them.
    struct PostgreSQLParameters {
        private(set) var bytes: [UInt8] = []
        /// Where each value lies; nil is a null.
        private(set) var places: [Range<Int>?] = []

        init(_ values: [PostgreSQLValue]) {
            places.reserveCapacity(values.count)
            for value in values { add(value) }
            // A value of no bytes at the very end must point into the buffer all the same.
            bytes.append(0)
        }

        private mutating func add(_ value: PostgreSQLValue) {
            let start = bytes.count
            switch value {
            case .null:
                places.append(nil)
                return
            case .string(let text): bytes.append(contentsOf: text.utf8)
            case .number(let number): append(number)
            case .truth(let truth): bytes.append(truth ? 1 : 0)
            case .blob(let blob): bytes.append(contentsOf: blob)
            case .numbers(let numbers): append(numbers)
            }
            places.append(start..<bytes.count)
        }

        private mutating func append(_ integer: some FixedWidthInteger) {
            withUnsafeBytes(of: integer.bigEndian) { bytes.append(contentsOf: $0) }
        }

        /// An array of `bigint`: dimensions, whether there are nulls, the type of an element, length, first index, elements.
        private mutating func append(_ numbers: [Int64]) {
            let bigintType: Int32 = 20
            let elementBytes: Int32 = 8
            append(Int32(numbers.isEmpty ? 0 : 1))
            append(Int32(0))
            append(bigintType)
            guard !numbers.isEmpty else { return }
            append(Int32(numbers.count))
            append(Int32(1))
            for number in numbers {
                append(elementBytes)
                append(number)
            }
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
