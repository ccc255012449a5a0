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
        let app: AppStoreServerAPIClient.App
        var next: CallArguments?
        let followsPages: Bool

        mutating func next() async throws -> AppStoreAnswer<[UInt8]>? {
            guard let request = next else { return nil }
            let answer = try await app.perform(
                request.call,
                path: request.path,
                query: request.query,
                body: request.body
            )
            next = followsPages ? try CallPages.request(after: request, answer: answer.value) : nil
            return answer
        }
    }

    /// The call for the page after an answer, `nil` after the last one.
    ///
    /// - Throws: `paging_stuck` when the answer says that there is more, and not where.
    static func request(
        after request: CallArguments,
        answer: [UInt8]
    ) throws(AppStoreClientError) -> CallArguments? {
        guard
            let parameter = cursorParameter(of: request.call),
            let object = try? JSONParser.parseObject(answer),
            object["hasMore"]?.boolValue == true
        else { return nil }
        let before = request.query.last { $0.name == parameter }
        guard let value = object[parameter]?.stringValue, value != before?.value else {
            throw AppStoreClientError(
                code: .pagingStuck,
                message: "The answer says that there are more pages, and its \(parameter) does not lead to them."
            )
        }
        return request.continued(from: QueryItem(parameter, value))
    }
}
