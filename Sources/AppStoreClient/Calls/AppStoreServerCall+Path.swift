import AppStoreModel

extension AppStoreServerCall {
    /// The path with the parameters' values, percent-encoded.
    ///
    /// - Throws: The name of a parameter whose value is missing, empty, or not a valid path segment.
    func path(with values: [String: String]) throws(InvalidParameter) -> String {
        var result = ""
        for segment in path.split(separator: "/") {
            result += "/"
            guard Self.isParameter(segment) else {
                result += segment
                continue
            }
            let name = String(segment.dropFirst().dropLast())
            guard let value = values[name], !value.isEmpty, value != ".", value != "..", value.utf8.count <= 1024 else {
                throw InvalidParameter(name: name)
            }
            result += PercentEncoding.encode(value)
        }
        return result
    }

    /// The name of a path parameter with an invalid value.
    struct InvalidParameter: Error {
        let name: String
    }
}
