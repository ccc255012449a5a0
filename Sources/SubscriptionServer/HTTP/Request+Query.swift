import Hummingbird

extension Request {
    /// The query parameters.
    ///
    /// - Throws: `parameter_unknown` for unknown parameters: with a misspelt cursor name, a client would read the first
    ///   page forever.
    func query(_ known: Set<String>) throws(APIError) -> Parameters {
        let query = uri.queryParameters
        for parameter in query where !known.contains(String(parameter.key)) {
            throw .unknown(String(parameter.key), known: known)
        }
        return query
    }
}

extension Parameters {
    /// A whole number; nil if the parameter is absent.
    ///
    /// - Throws: `parameter_invalid` for anything else.
    func number(_ name: String, in range: ClosedRange<Int>) throws(APIError) -> Int? {
        guard let text = self[Substring(name)] else { return nil }
        guard let number = Int(text), range.contains(number) else {
            throw .invalid(name, "\(name) must be a number from \(range.lowerBound) to \(range.upperBound).")
        }
        return number
    }
}

extension APIError {
    /// A parameter that the route does not have.
    static func unknown(_ name: String, known: Set<String>) -> APIError {
        let names = known.sorted().joined(separator: ", ")
        return APIError(
            .badRequest,
            .invalidRequest,
            "parameter_unknown",
            "\(name) is not known here. \(known.isEmpty ? "There are no parameters." : "Known: \(names).")",
            parameter: name
        )
    }
}
