import AppStoreClient
import AppStoreModel

/// The answers to a call, one page after the other where that is asked for.
struct CallPages: AsyncSequence {
    typealias Element = AppStoreAnswer<[UInt8]>

    /// The calls about the app.
    let app: AppStoreServerAPIClient.App
    /// The first call.
    let request: CallArguments
    /// Whether further pages are asked for.
    let followsPages: Bool

    /// The query parameter that leads to the next page, of calls that have pages; its value is in the answer, under the
    /// same name.
    static func cursorParameter(of call: AppStoreServerCall) -> String? {
        ["revision", "paginationToken"].first { call.queryParameters.contains($0) }
    }

    func makeAsyncIterator() -> Iterator {
        Iterator(app: app, next: request, followsPages: followsPages)
    }

    /// Makes one call for each answer.
    struct Iterator: AsyncIteratorProtocol {
        /// The calls about the app, since the first answer where that came from.
        var app: AppStoreServerAPIClient.App
        var next: CallArguments?
        let followsPages: Bool
        /// The cursors that were asked with.
        var asked: Set<String> = []

        mutating func next() async throws -> AppStoreAnswer<[UInt8]>? {
            guard let request = next else { return nil }
            let answer = try await app.perform(
                request.call,
                path: request.path,
                query: request.query,
                body: request.body
            )
            app = app.only(answer.answeredBy)
            guard answer.value.isEmpty || (try? JSONParser.parse(answer.value)) != nil else {
                throw AppStoreClientError(noJSON: answer, call: request.call)
            }
            next = followsPages ? try CallPages.request(after: request, answer: answer.value, asked: &asked) : nil
            return answer
        }
    }

    /// The call for the page after an answer, `nil` after the last one.
    ///
    /// - Parameter asked: The cursors that were asked with; this call's is added.
    /// - Throws: `paging_stuck` when the answer says that there is more, and leads nowhere or back.
    static func request(
        after request: CallArguments,
        answer: [UInt8],
        asked: inout Set<String>
    ) throws(AppStoreClientError) -> CallArguments? {
        guard
            let parameter = cursorParameter(of: request.call),
            let object = try? JSONParser.parseObject(answer),
            object["hasMore"]?.boolValue == true
        else { return nil }
        if let before = request.query.last(where: { $0.name == parameter }) { asked.insert(before.value) }
        guard let value = object[parameter]?.stringValue, !asked.contains(value) else {
            throw AppStoreClientError(
                code: .pagingStuck,
                message: "The answer says that there are more pages, and its \(parameter) does not lead to them."
            )
        }
        return request.continued(from: QueryItem(parameter, value))
    }
}

extension AppStoreClientError {
    /// The error of a success whose body is something else than JSON.
    fileprivate init(noJSON answer: AppStoreAnswer<[UInt8]>, call: AppStoreServerCall) {
        self.init(
            code: .responseMalformed,
            message: "The answer to \(call.title) is no JSON: check the base URL, and what stands before it.",
            response: answer.response
        )
    }
}
