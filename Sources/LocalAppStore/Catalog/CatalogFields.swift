import AppStoreModel

/// An object of a configuration file with its path, so that every error can name its field.
typealias CatalogFields = JSONMembers<CatalogFieldRules>

/// The errors of a configuration file's fields.
enum CatalogFieldRules: JSONMemberRules {
    static func missing(_ kind: JSONMemberKind, at path: String) -> CatalogError {
        CatalogError(.fieldMissing, message: "This field is required and must not be empty.", path: path)
    }

    static func wrongType(_ kind: JSONMemberKind, at path: String) -> CatalogError {
        wrongType(expected: name(of: kind), at: path)
    }

    static func wrongType(expected: String, at path: String) -> CatalogError {
        CatalogError(.fieldInvalid, message: "This must be \(expected).", path: path)
    }

    private static func name(of kind: JSONMemberKind) -> String {
        switch kind {
        case .text: "text"
        case .flag: "true or false"
        case .integer: "a whole number"
        case .number: "a number"
        case .texts: "a list of texts"
        case .object: "an object"
        case .objects: "an array"
        }
    }
}

extension JSONMembers<CatalogFieldRules> {
    /// A text with something in it.
    func filledString(_ key: String) throws(CatalogError) -> String {
        let text = try requiredString(key)
        guard !text.isEmpty else { throw CatalogFieldRules.missing(.text, at: path(to: key)) }
        return text
    }

    func optionalInteger(_ key: String, in range: ClosedRange<Int>) throws(CatalogError) -> Int? {
        guard let value = value(key) else { return nil }
        guard let number = value.integerValue.flatMap(Int.init(exactly:)), range.contains(number) else {
            throw wrongType(key, expected: "a whole number from \(range.lowerBound) to \(range.upperBound)")
        }
        return number
    }

    func price(_ key: String) throws(CatalogError) -> Int64 {
        let text = try filledString(key)
        guard let price = milliunits(decimal: text) else {
            let message = "\"\(text)\" is not a price: use digits with at most three decimals, for example \"9.99\"."
            throw CatalogError(.priceInvalid, message: message, path: path(to: key))
        }
        return price
    }

    func period(_ key: String) throws(CatalogError) -> CalendarPeriod {
        let text = try filledString(key)
        guard let period = CalendarPeriod(iso8601: text), period.isWholeDays else {
            let message = "\"\(text)\" is no ISO 8601 duration of days, weeks, months or years, for example \"P1M\"."
            throw CatalogError(.periodInvalid, message: message, path: path(to: key))
        }
        return period
    }

    /// The objects of an array; none where the array is absent.
    func objects(_ key: String) throws(CatalogError) -> [CatalogFields] { try innerList(key) ?? [] }

    func wrongType(_ key: String, expected: String) -> CatalogError {
        CatalogFieldRules.wrongType(expected: expected, at: path(to: key))
    }
}
