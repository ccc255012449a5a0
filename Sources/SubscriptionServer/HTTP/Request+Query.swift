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

extension APIError {
    /// A parameter that the route does not have.
    static func unknown(_ name: String, known: Set<String>) -> APIError {
        APIError(
            .badRequest,
            .invalidRequest,
            "parameter_unknown",
            "\(name) is not known here. Known: \(known.sorted().joined(separator: ", ")).",
            parameter: name
        )
    }
}
