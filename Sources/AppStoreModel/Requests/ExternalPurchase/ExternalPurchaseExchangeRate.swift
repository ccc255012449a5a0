/// A rate between two currencies, with all of its digits.
///
/// - Source: External Purchase Server API, `exchangeRate`, a JSON number.
public struct ExternalPurchaseExchangeRate: JSONConvertible, CustomStringConvertible {
    /// The maximum number of characters of a rate.
    public static let lengthMax = 128

    private let number: JSONValue

    /// Parses digits, with or without a point and more digits: `0.9273`; nil for any other text.
    public init?(_ text: String) {
        let parts = text.utf8.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
        let isDecimal = (1...2).contains(parts.count) && parts.allSatisfy { !$0.isEmpty && $0.allSatisfy(\.isDigit) }
        let hasLeadingZero = parts.first.map { $0.count > 1 && $0.first == UInt8(ascii: "0") } ?? true
        guard isDecimal, !hasLeadingZero, text.utf8.count <= Self.lengthMax else { return nil }
        number = Int64(text).map { .integer($0) } ?? .decimal(text)
    }

    /// Decodes a number in any form.
    ///
    /// - Throws: ``ModelError`` with ``ModelError/Code/wrongType``.
    public init(jsonValue: JSONValue) throws(ModelError) {
        switch jsonValue {
        case .integer, .decimal: number = jsonValue
        default: throw ModelError.wrongType(expected: "number", found: jsonValue)
        }
    }

    /// The number as JSON, with its original digits.
    public var jsonValue: JSONValue { number }

    /// The number with its original digits.
    public var description: String {
        switch number {
        case .integer(let value): "\(value)"
        case .decimal(let text): text
        default: ""
        }
    }
}

extension UInt8 {
    fileprivate var isDigit: Bool { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(self) }
}
