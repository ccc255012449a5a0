import AppStoreModel

/// A call with the values of one request.
struct CallRequest: Sendable {
    let call: AppStoreServerCall
    let path: [String: String]
    let query: [QueryItem]
    let body: [UInt8]?

    /// Path and query, encoded.
    ///
    /// - Throws: `invalid_request` if a path parameter is missing or invalid, or the body is missing or not allowed.
    func target() throws(AppStoreClientError) -> String {
        try checkBody()
        do throws(AppStoreServerCall.InvalidParameter) {
            return try call.path(with: path) + PercentEncoding.query(query)
        } catch {
            throw invalid(
                "The path parameter \(error.name) of \(call.title) is missing, empty or unusable: give a value."
            )
        }
    }

    private func checkBody() throws(AppStoreClientError) {
        switch (call.body, body) {
        case (.none, .some):
            throw invalid("\(call.title) takes no body: leave it out.")
        case (.json, .none), (.png, .none):
            throw invalid("\(call.title) needs a body: \(call.types.request ?? "an image in PNG").")
        default:
            return
        }
    }

    private func invalid(_ message: String) -> AppStoreClientError {
        var error = AppStoreClientError(code: .invalidRequest, message: message)
        error.call = call.name
        return error
    }
}
