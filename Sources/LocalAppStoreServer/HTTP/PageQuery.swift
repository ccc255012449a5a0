import Hummingbird

/// The requested page of a list: `?cursor=…&limit=…`.
struct PageQuery: Hashable, Sendable {
    /// The default page size.
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
