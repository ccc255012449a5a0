import HTTPTypes

extension HTTPFields {
    /// What a field says, as the subscript gives it: that one joins texts also where there is only one.
    func value(of name: HTTPField.Name) -> String? {
        var value: String?
        for field in self where field.name == name {
            guard value == nil else { return self[name] }
            value = field.value
        }
        return value
    }
}
