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

    /// Performs a call whose answer is one of Apple's types.
    func get<Answer: JSONRepresentable>(
        _ call: AppStoreServerCall,
        path: [String: String] = [:],
        query: [QueryItem] = [],
        body: (any JSONRepresentable)? = nil
    ) async throws(AppStoreClientError) -> AppStoreAnswer<Answer> {
        let answer = try await perform(call, path: path, query: query, body: body?.jsonBytes)
        do throws(ModelError) {
            let value = try Answer(jsonBytes: answer.value)
            return answer.replacing(value)
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
        self.init(code: .responseMalformed, message: message, response: answer.response, modelError: error)
        self.call = call.name
        self.environment = answer.answeredBy
        self.attempts = answer.attempts
    }
}
