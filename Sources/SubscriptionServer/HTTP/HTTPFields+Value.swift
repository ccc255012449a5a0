import HTTPTypes

extension HTTPFields {
    /// The value of a field. Unlike the subscript, it does not join texts if there is only one.
    func value(of name: HTTPField.Name) -> String? {
        var value: String?
        for field in self where field.name == name {
            guard value == nil else { return self[name] }
            value = field.value
        }
        return value
    }
}
