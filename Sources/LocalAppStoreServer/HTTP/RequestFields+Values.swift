import AppStoreModel
import LocalAppStore

/// The values in request bodies beyond JSON's own types.
extension JSONMembers<RequestFieldRules> {
    /// One of a fixed set of values.
    ///
    /// - Throws: `unknown_value` with the allowed values; `wrong_type`.
    func choice<Value: RawRepresentable & CaseIterable>(
        _ key: String,
        of type: Value.Type
    ) throws(StoreCallError) -> Value? where Value.RawValue == String {
        guard let text = try string(key) else { return nil }
        guard let value = Value(rawValue: text) else {
            let values = Value.allCases.map(\.rawValue).joined(separator: ", ")
            throw .invalid("unknown_value", "\(path(to: key)) must be one of \(values)", path: path(to: key))
        }
        return value
    }

    /// A required value of a fixed set.
    func requiredChoice<Value: RawRepresentable & CaseIterable>(
        _ key: String,
        of type: Value.Type
    ) throws(StoreCallError) -> Value where Value.RawValue == String {
        guard let value = try choice(key, of: type) else {
            let values = Value.allCases.map(\.rawValue).joined(separator: ", ")
            let path = path(to: key)
            throw .invalid("missing_field", "\(path) is missing: it must be one of \(values)", path: path)
        }
        return value
    }

    /// An integer within a range.
    ///
    /// - Throws: `out_of_range`, `wrong_type`.
    func integer(_ key: String, in range: ClosedRange<Int64>) throws(StoreCallError) -> Int64? {
        guard let number = try integer(key) else { return nil }
        guard range.contains(number) else {
            let message = "\(path(to: key)) must be from \(range.lowerBound) to \(range.upperBound)"
            throw .invalid("out_of_range", message, path: path(to: key))
        }
        return number
    }

    /// An ISO 8601 duration.
    ///
    /// - Throws: `duration_invalid`, `wrong_type`.
    func duration(_ key: String) throws(StoreCallError) -> CalendarPeriod? {
        guard let text = try string(key) else { return nil }
        guard let period = CalendarPeriod(iso8601: text) else {
            throw .unprocessable(
                "duration_invalid",
                """
                \(path(to: key)) must be an ISO 8601 duration such as P1D or PT1H, with whole numbers up to \
                \(CalendarPeriod.numberMax)
                """,
                path: path(to: key)
            )
        }
        return period
    }

    /// The URL of a web server.
    ///
    /// - Throws: `url_invalid`, `wrong_type`.
    func url(_ key: String) throws(StoreCallError) -> WebURL? {
        guard let text = try string(key) else { return nil }
        return try WebURL(text, path: path(to: key))
    }

    /// A secret for a header: printable ASCII without spaces.
    ///
    /// - Throws: `missing_field`, `wrong_type`, `token_invalid`.
    func headerText(_ key: String) throws(StoreCallError) -> String {
        let text = try requiredString(key)
        guard (1...4_096).contains(text.utf8.count), text.utf8.allSatisfy({ (0x21...0x7E).contains($0) }) else {
            throw .unprocessable(
                "token_invalid",
                "\(path(to: key)) must be 1 to 4096 printable ASCII characters without spaces",
                path: path(to: key)
            )
        }
        return text
    }
}
