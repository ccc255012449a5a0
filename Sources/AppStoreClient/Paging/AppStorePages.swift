import AppStoreModel

/// The pages of a history, read sequentially on demand.
///
/// ```swift
/// for try await page in app.transactionHistory(anyTransactionId: id, from: stored) {
///     try await handle(page.signedTransactions)
///     try await store(page.cursor)
/// }
/// ```
///
/// All pages come from the environment that answered the first one. Every page has a separate deadline. After an error
/// the sequence is finished: start another one from the last cursor.
public struct AppStorePages<Response: PagedResponse>: AsyncSequence, Sendable {
    /// One page.
    public typealias Element = AppStorePage<Response>
    /// Why a page could not be read.
    public typealias Failure = AppStoreClientError

    /// Reads the page of a token, or the first one for nil.
    typealias Fetch =
        @Sendable (AppStoreServerAPIClient.App, String?) async throws(AppStoreClientError) -> AppStoreAnswer<Response>

    /// The number of consecutive empty pages after which the sequence ends with `paging_stuck`.
    public static var emptyPagesMax: Int { 8 }

    let app: AppStoreServerAPIClient.App
    let call: AppStoreServerCall
    let start: PageCursor?
    let fetch: Fetch

    /// Reads one page after another.
    public func makeAsyncIterator() -> AsyncIterator {
        AsyncIterator(pages: self, cursor: start)
    }

    /// The elements of the pages, each with the cursor to resume from.
    public var elements: AppStorePageElements<Response> { AppStorePageElements(pages: self) }

    /// Reads one page after another.
    public struct AsyncIterator: AsyncIteratorProtocol, Sendable {
        /// Why a page could not be read.
        public typealias Failure = AppStoreClientError

        private let pages: AppStorePages
        private var app: AppStoreServerAPIClient.App
        private var cursor: PageCursor?
        /// The tokens of all requests so far: a history that returns one of them again would never end. There is one
        /// per page.
        private var asked: Set<String> = []
        private var emptyPages = 0
        private var isOver = false
        /// The error to throw after the page that it concerns was returned.
        private var pending: AppStoreClientError?

        init(pages: AppStorePages, cursor: PageCursor?) {
            self.pages = pages
            self.cursor = cursor
            self.app = cursor.map { pages.app.only($0.environment) } ?? pages.app
        }

        /// Reads the next page; nil after the last.
        ///
        /// The content of a page is never withheld: an error about its next page follows it.
        ///
        /// - Throws: Errors of the call; `cursor_invalid` and `cursor_expired` for a cursor that Apple does not accept;
        ///   `paging_stuck` if Apple reports more pages without a way to get them.
        public mutating func next() async throws(AppStoreClientError) -> AppStorePage<Response>? {
            if let error = pending.take() { throw error }
            guard !isOver else { return nil }
            isOver = true
            let page = AppStorePage(answer: try await pages.fetch(app, cursor?.token), start: cursor)
            guard page.answer.value.hasMore else { return page }
            if let token = cursor?.token { asked.insert(token) }
            emptyPages = page.elements.isEmpty ? emptyPages + 1 : 0
            guard
                let next = page.cursor, !asked.contains(next.token), emptyPages < AppStorePages.emptyPagesMax
            else {
                pending = AppStoreClientError(stuck: page, call: pages.call)
                return page
            }
            app = app.only(next.environment)
            cursor = next
            isOver = false
            return page
        }
    }
}

/// The elements of all pages, each with the cursor to resume from.
public struct AppStorePageElements<Response: PagedResponse>: AsyncSequence, Sendable {
    /// An element with its cursor.
    public typealias Element = AppStorePageElement<Response.PageElement>
    /// Why a page could not be read.
    public typealias Failure = AppStoreClientError

    let pages: AppStorePages<Response>

    /// Reads one element after another.
    public func makeAsyncIterator() -> AsyncIterator {
        AsyncIterator(pages: pages.makeAsyncIterator())
    }

    /// Reads one element after another.
    public struct AsyncIterator: AsyncIteratorProtocol {
        /// Why a page could not be read.
        public typealias Failure = AppStoreClientError

        private var pages: AppStorePages<Response>.AsyncIterator
        private var page: AppStorePage<Response>?
        private var index = 0

        init(pages: AppStorePages<Response>.AsyncIterator) {
            self.pages = pages
        }

        /// Reads the next element; nil after the last.
        ///
        /// - Throws: Errors of reading a page.
        public mutating func next() async throws(AppStoreClientError) -> AppStorePageElement<Response.PageElement>? {
            while true {
                if let page, index < page.elements.count {
                    index += 1
                    return AppStorePageElement(
                        value: page.elements[index - 1],
                        cursor: index == page.elements.count ? page.cursor ?? page.start : page.start,
                        answeredBy: page.answeredBy
                    )
                }
                // Terminates: pages are finite, and `next` limits consecutive empty pages.
                guard let following = try await pages.next() else { return nil }
                page = following
                index = 0
            }
        }
    }
}

extension AppStoreClientError {
    /// The error of a page that reports more pages without a token.
    fileprivate init<Response>(stuck page: AppStorePage<Response>, call: AppStoreServerCall) {
        let message =
            "Apple's answer to \(call.title) says that there are more pages, but leads to none: its cursor is "
            + "absent or "
            + "came before, or several pages in a row were empty. Try again later from the last."
        self.init(page.answer, to: call, code: .pagingStuck, message: message, isRetryable: true)
    }
}
