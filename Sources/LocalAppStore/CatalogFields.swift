import AppStoreModel

/// An object of a configuration file with its path, so that every error can name its field.
struct CatalogFields {
    let object: JSONObject
    let path: String

    /// A member that exists and is not `null`.
    private subscript(key: String) -> JSONValue? {
        guard let value = object[key], !value.isNull else { return nil }
        return value
    }

    func path(to key: String) -> String { path.isEmpty ? key : "\(path).\(key)" }

    func string(_ key: String) throws(CatalogError) -> String {
        guard let text = try optionalString(key), !text.isEmpty else { throw missing(key) }
        return text
    }

    func optionalString(_ key: String) throws(CatalogError) -> String? {
        guard let value = self[key] else { return nil }
        guard let text = value.stringValue else { throw wrongType(key, expected: "text") }
        return text
    }

    func optionalStrings(_ key: String) throws(CatalogError) -> [String]? {
        guard let value = self[key] else { return nil }
        let texts = value.arrayValue?.compactMap(\.stringValue)
        guard let texts, texts.count == value.arrayValue?.count else {
            throw wrongType(key, expected: "a list of texts")
        }
        return texts
    }

    func optionalBool(_ key: String) throws(CatalogError) -> Bool? {
        guard let value = self[key] else { return nil }
        guard let flag = value.boolValue else { throw wrongType(key, expected: "true or false") }
        return flag
    }

    func optionalInteger(_ key: String, in range: ClosedRange<Int>) throws(CatalogError) -> Int? {
        guard let value = self[key] else { return nil }
        guard let number = value.integerValue.flatMap(Int.init(exactly:)), range.contains(number) else {
            throw wrongType(key, expected: "a whole number from \(range.lowerBound) to \(range.upperBound)")
        }
        return number
    }

    func price(_ key: String) throws(CatalogError) -> Int64 {
        let text = try string(key)
        guard let price = milliunits(decimal: text) else {
            let message = "\"\(text)\" is no price: write digits with at most three places, for example \"9.99\"."
            throw CatalogError(.priceInvalid, message: message, path: path(to: key))
        }
        return price
    }

    func period(_ key: String) throws(CatalogError) -> CalendarPeriod {
        let text = try string(key)
        guard let period = CalendarPeriod(iso8601: text), period.isWholeDays else {
            let message = "\"\(text)\" is no ISO 8601 duration of days, weeks, months or years, for example \"P1M\"."
            throw CatalogError(.periodInvalid, message: message, path: path(to: key))
        }
        return period
    }

    func optionalObject(_ key: String) throws(CatalogError) -> CatalogFields? {
        guard let value = self[key] else { return nil }
        guard let object = value.objectValue else { throw wrongType(key, expected: "an object") }
        return CatalogFields(object: object, path: path(to: key))
    }

    /// The objects of an array; none if the array is absent.
    func objects(_ key: String) throws(CatalogError) -> [CatalogFields] {
        guard let value = self[key] else { return [] }
        guard let array = value.arrayValue else { throw wrongType(key, expected: "an array") }
        var fields: [CatalogFields] = []
        for (index, element) in array.enumerated() {
            let elementPath = "\(path(to: key))[\(index)]"
            guard let object = element.objectValue else {
                throw CatalogError(.fieldInvalid, message: "This must be an object.", path: elementPath)
            }
            fields.append(CatalogFields(object: object, path: elementPath))
        }
        return fields
    }

    func missing(_ key: String) -> CatalogError {
        CatalogError(.fieldMissing, message: "This field is required and must not be empty.", path: path(to: key))
    }

    func wrongType(_ key: String, expected: String) -> CatalogError {
        CatalogError(.fieldInvalid, message: "This must be \(expected).", path: path(to: key))
    }
}
