package import SubscriptionCore

/// A value on its way into a column, or into a parameter of a statement; each engine gives it the form of its own.
package enum ColumnValue: Hashable, Sendable {
    /// Nothing.
    case null
    /// Text; engines refuse text with a zero character, which ends text in both.
    case string(String)
    /// A whole number.
    case number(Int64)
    /// Yes or no.
    case truth(Bool)
    /// Bytes.
    case blob(ArraySlice<UInt8>)

    /// Text, where there is one.
    package static func text(_ text: String?) -> ColumnValue { text.map(ColumnValue.string) ?? .null }

    /// The text that stands for an identifier, or for a choice of a closed set.
    package static func text(_ value: (some RawRepresentable<String>)?) -> ColumnValue {
        value.map { .string($0.rawValue) } ?? .null
    }

    /// A whole number, where there is one.
    package static func integer(_ integer: (some BinaryInteger)?) -> ColumnValue {
        integer.map { .number(Int64($0)) } ?? .null
    }

    /// Milliseconds since 1970.
    package static func time(_ time: Timestamp?) -> ColumnValue { time.map { .number($0.milliseconds) } ?? .null }

    /// Yes or no, where it is known.
    package static func flag(_ flag: Bool?) -> ColumnValue { flag.map(ColumnValue.truth) ?? .null }

    /// Bytes, where there are some.
    package static func bytes(_ bytes: [UInt8]?) -> ColumnValue { bytes.map { .blob($0[...]) } ?? .null }

    /// An amount in two columns, both present or both absent.
    package static func money(_ money: Money?) -> [ColumnValue] {
        [.integer(money?.milliunits), .text(money?.currency)]
    }

    /// An offer in four columns: kind, payment, identifier, period.
    package static func offer(_ offer: Offer?) -> [ColumnValue] {
        [.text(offer?.kind), .text(offer?.payment), .text(offer?.identifier), .text(offer?.period)]
    }
}
