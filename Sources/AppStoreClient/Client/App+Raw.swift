import AppStoreModel

extension AppStoreServerAPIClient.App {
    /// Performs any call with what it needs, and gives the body of the answer as it came: for tools.
    ///
    /// Everything else is as with the typed methods: tokens, limits, repetition, environments, errors.
    ///
    /// - Parameters:
    ///   - call: Which, for instance `AppStoreServerCall.named("get-transaction-info")`.
    ///   - path: The values of ``AppStoreServerCall/pathParameters``.
    ///   - query: The query in its order; parameters that the table does not name are sent all the same.
    ///   - body: The body, for calls that have one.
    /// - Throws: `invalid_request` when a path parameter or the body is missing, or a body is not wanted; and what
    ///   every call throws.
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

    /// The pages of any call that has pages, one after the other: for tools.
    ///
    /// - Parameters:
    ///   - call: Which; it has a ``AppStoreServerCall/pageParameter``.
    ///   - path: The values of ``AppStoreServerCall/pathParameters``.
    ///   - query: The query of the first page in its order; the parameter that leads on replaces its own.
    ///   - body: The body of every page, for calls that have one.
    /// - Throws: While reading, as ``perform(_:path:query:body:)``; `response_malformed` for a page that is no JSON
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
        // Whether a history leads back to where it began is known where one environment alone gave the beginning.
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

    /// Performs a call whose answer is one of Apple's types.
    func get<Answer: JSONRepresentable>(
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
    /// The error of a success whose body is not what Apple documents.
    fileprivate init(unreadable answer: AppStoreAnswer<[UInt8]>, call: AppStoreServerCall, _ error: ModelError) {
        let message =
            answer.value.isEmpty
            ? "Apple's answer to \(call.title) has no body where \(call.types.answer ?? "an object") was due."
            : "Apple's answer to \(call.title) is not the documented \(call.types.answer ?? "object") (\(error)); "
                + "the body is kept as it came. Check the base URL, and whether this library is up to date."
        self.init(answer, to: call, code: .responseMalformed, message: message, modelError: error)
    }
}
