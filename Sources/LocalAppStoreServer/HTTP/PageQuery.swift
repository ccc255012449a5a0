import Hummingbird

/// The page of a list that a call asks for: `?cursor=…&limit=…`.
struct PageQuery: Hashable, Sendable {
    /// The page size of a call that names none.
    static let limitDefault = 100

    let cursor: String?
    let limit: Int

    /// Reads the query.
    ///
    /// - Throws: `unknown_parameter`, `limit_invalid`.
    init(_ request: Request) throws(StoreCallError) {
        try request.rejectQuery(except: ["cursor", "limit"])
        let parameters = request.uri.queryParameters
        cursor = parameters["cursor"].map(String.init)
        guard let text = parameters["limit"] else {
            limit = Self.limitDefault
            return
        }
        guard let number = Int(text) else {
            throw .invalid("limit_invalid", "limit must be a whole number", path: "limit")
        }
        limit = number
    }
}
