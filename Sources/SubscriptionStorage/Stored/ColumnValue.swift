public import SubscriptionCore

/// The value of a column or a statement parameter; each engine converts it to its own form.
public enum ColumnValue: Hashable, Sendable {
    /// Nothing.
    case null
    /// Text; engines refuse a zero character, which would end the text.
    case string(String)
    /// A whole number.
    case number(Int64)
    /// A Boolean.
    case truth(Bool)
    /// Bytes.
    case blob(ArraySlice<UInt8>)

    /// Text, or null.
    @inlinable public static func text(_ text: String?) -> ColumnValue { text.map(ColumnValue.string) ?? .null }

    /// The text of an identifier or of a value of a closed set, or null.
    @inlinable public static func text(_ value: (some RawRepresentable<String>)?) -> ColumnValue {
        value.map { .string($0.rawValue) } ?? .null
    }

    /// A whole number, or null.
    @inlinable public static func integer(_ integer: (some BinaryInteger)?) -> ColumnValue {
        integer.map { .number(Int64($0)) } ?? .null
    }

    /// Milliseconds since 1970.
    @inlinable public static func time(_ time: Timestamp?) -> ColumnValue {
        time.map { .number($0.milliseconds) } ?? .null
    }

    /// A Boolean, or null.
    @inlinable public static func flag(_ flag: Bool?) -> ColumnValue { flag.map(ColumnValue.truth) ?? .null }

    /// Bytes, or null.
    @inlinable public static func bytes(_ bytes: [UInt8]?) -> ColumnValue { bytes.map { .blob($0[...]) } ?? .null }
}

extension ColumnValue {
    /// Compares texts by their bytes, like the engines.
    public static func == (left: ColumnValue, right: ColumnValue) -> Bool {
        switch (left, right) {
        case (.null, .null): true
        case (.string(let left), .string(let right)): left.utf8.elementsEqual(right.utf8)
        case (.number(let left), .number(let right)): left == right
        case (.truth(let left), .truth(let right)): left == right
        case (.blob(let left), .blob(let right)): left == right
        default: false
        }
    }

    /// Hashes texts by their bytes.
    public func hash(into hasher: inout Hasher) {
        switch self {
        case .null: hasher.combine(0)
        case .string(var text): text.withUTF8 { hasher.combine(bytes: UnsafeRawBufferPointer($0)) }
        case .number(let number): hasher.combine(number)
        case .truth(let truth): hasher.combine(truth)
        case .blob(let bytes): hasher.combine(bytes)
        }
    }
}

extension [ColumnValue] {
    /// Reserves capacity for the columns of a table, including the app's.
    init(ofTableWith count: Int) {
        self.init()
        reserveCapacity(count)
    }

    /// An amount in two columns, both present or both absent.
    mutating func append(_ money: Money?) {
        append(.integer(money?.milliunits))
        append(.text(money?.currency))
    }

    /// An offer in four columns: kind, payment, identifier, period.
    mutating func append(_ offer: Offer?) {
        append(.text(offer?.kind))
        append(.text(offer?.payment))
        append(.text(offer?.identifier))
        append(.text(offer?.period))
    }
}
