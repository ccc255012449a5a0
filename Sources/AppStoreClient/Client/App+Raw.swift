public import AppStoreModel

extension AppStoreServerAPIClient.App {
    /// Performs any call, and returns the unchanged body of the answer; for tools.
    ///
    /// Tokens, limits, retries, environments and errors work as for the typed methods.
    ///
    /// - Parameters:
    ///   - call: The call, for example `AppStoreServerCall.named("get-transaction-info")`.
    ///   - path: The values of `AppStoreServerCall.pathParameters`.
    ///   - query: The query in order; parameters that the table does not list are sent too.
    ///   - body: The body, for calls that have one.
    /// - Throws: `invalid_request` if a path parameter or the body is missing, or a body is not allowed; and the errors
    ///   of every call.
    public func perform(
        _ call: AppStoreServerCall,
        path: [String: String] = [:],
        query: [QueryItem] = [],
        body: [UInt8]? = nil
    ) async throws(AppStoreClientError) -> AppStoreAnswer<[UInt8]> {
        try await engine.perform(
            CallRequest(call: call, path: path, query: query, body: body),
            bundleId: bundleId,
            choice: choice,
            deadline: deadline
        )
    }

    /// The pages of any paged call, in sequence; for tools.
    ///
    /// - Parameters:
    ///   - call: The call, which has a `AppStoreServerCall.pageParameter`.
    ///   - path: The values of `AppStoreServerCall.pathParameters`.
    ///   - query: The query of the first page in order; the page parameter is replaced for later pages.
    ///   - body: The body of every page, for calls that have one.
    /// - Throws: While reading, as ``perform(_:path:query:body:)``; `response_malformed` for a page that is not a JSON
    ///   object, and `paging_stuck`.
    public func pages(
        of call: AppStoreServerCall,
        path: [String: String] = [:],
        query: [QueryItem] = [],
        body: [UInt8]? = nil
    ) -> AppStorePages<RawPage> {
        let parameter = call.pageParameter
        let given = query.last { $0.name == parameter }.map(\.value)
        let environments = choice.environments
        // A cycle back to the start can be detected only if a single environment returned the start.
        let start = environments.count == 1 ? given.map { PageCursor(environment: environments[0], token: $0) } : nil
        return AppStorePages(app: self, call: call, start: start) { app, token throws(AppStoreClientError) in
            var query = query
            if let parameter, let token {
                query.removeAll { $0.name == parameter }
                query.append(QueryItem(parameter, token))
            }
            let answer = try await app.perform(call, path: path, query: query, body: body)
            return try app.read(answer, of: call)
        }
    }

    /// Performs a call that returns one of Apple's types.
    func call<Answer: JSONRepresentable>(
        _ call: AppStoreServerCall,
        path: [String: String] = [:],
        query: [QueryItem] = [],
        body: (any JSONRepresentable)? = nil
    ) async throws(AppStoreClientError) -> AppStoreAnswer<Answer> {
        try read(try await perform(call, path: path, query: query, body: body?.jsonBytes), of: call)
    }

    private func read<Answer: JSONRepresentable>(
        _ answer: AppStoreAnswer<[UInt8]>,
        of call: AppStoreServerCall
    ) throws(AppStoreClientError) -> AppStoreAnswer<Answer> {
        do throws(ModelError) {
            return answer.replacing(try Answer(jsonBytes: answer.value))
        } catch {
            throw AppStoreClientError(unreadable: answer, call: call, error)
        }
    }

    /// Performs a call whose answer has no body.
    func send(
        _ call: AppStoreServerCall,
        path: [String: String] = [:],
        query: [QueryItem] = [],
        body: (any JSONRepresentable)? = nil
    ) async throws(AppStoreClientError) -> AppStoreAnswer<NoContent> {
        try await perform(call, path: path, query: query, body: body?.jsonBytes).replacing(NoContent())
    }
}

extension AppStoreClientError {
    /// The error of a successful answer whose body does not match Apple's documentation.
    fileprivate init(unreadable answer: AppStoreAnswer<[UInt8]>, call: AppStoreServerCall, _ error: ModelError) {
        let message =
            answer.value.isEmpty
            ? "Apple's answer to \(call.title) has no body where \(call.types.answer ?? "an object") was due."
            : "Apple's answer to \(call.title) is not the documented \(call.types.answer ?? "object") (\(error)); "
                + "the body is kept as it came. Check the base URL, and whether this library is up to date."
        self.init(answer, to: call, code: .responseMalformed, message: message, modelError: error)
    }
}
