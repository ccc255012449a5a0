import AppStoreModel

/// The pages of a history, read one after the other as they are asked for.
///
/// ```swift
/// for try await page in app.transactionHistory(anyTransactionId: id, from: stored) {
///     try await handle(page.signedTransactions)
///     try await store(page.cursor)
/// }
/// ```
///
/// The environment that answers the first page is asked for all others. Every page has a deadline of its own. After an
/// error the sequence is over: begin another one from the last cursor.
public struct AppStorePages<Response: PagedResponse>: AsyncSequence, Sendable {
    /// One page.
    public typealias Element = AppStorePage<Response>
    /// Why a page could not be read.
    public typealias Failure = AppStoreClientError

    /// Reads the page that a token leads to, the first for nil.
    typealias Fetch =
        @Sendable (AppStoreServerAPIClient.App, String?) async throws(AppStoreClientError) -> AppStoreAnswer<Response>

    /// After so many empty pages in a row the sequence ends with `paging_stuck`.
    public static var emptyPagesMax: Int { 8 }

    let app: AppStoreServerAPIClient.App
    let call: AppStoreServerCall
    let start: PageCursor?
    let fetch: Fetch

    /// Reads page after page.
    public func makeAsyncIterator() -> AsyncIterator {
        AsyncIterator(pages: self, cursor: start)
    }

    /// The elements of the pages, each with the cursor to resume from.
    public var elements: AppStorePageElements<Response> { AppStorePageElements(pages: self) }

    /// Reads page after page.
    public struct AsyncIterator: AsyncIteratorProtocol {
        /// Why a page could not be read.
        public typealias Failure = AppStoreClientError

        private let pages: AppStorePages
        private var app: AppStoreServerAPIClient.App
        private var cursor: PageCursor?
        /// The tokens that have been asked with: a history that leads back to one of them would never end. One for
        /// each page, so there are no more than calls were made.
        private var asked: Set<String> = []
        private var emptyPages = 0
        private var isOver = false
        /// What is thrown once the page that it is about has been given.
        private var pending: AppStoreClientError?

        init(pages: AppStorePages, cursor: PageCursor?) {
            self.pages = pages
            self.cursor = cursor
            self.app = cursor.map { pages.app.only($0.environment) } ?? pages.app
        }

        /// Reads the next page; nil after the last.
        ///
        /// What a page has is never withheld: an error about where it leads comes after it.
        ///
        /// - Throws: What the call throws; `cursor_invalid` and `cursor_expired` for a cursor that Apple does not take;
        ///   `paging_stuck` when Apple says that there are more pages but does not lead to them.
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

    /// Reads element after element.
    public func makeAsyncIterator() -> AsyncIterator {
        AsyncIterator(pages: pages.makeAsyncIterator())
    }

    /// Reads element after element.
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
        /// - Throws: What reading a page throws.
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
                // Ends: pages are finite, and `next` bounds the empty ones in a row.
                guard let following = try await pages.next() else { return nil }
                page = following
                index = 0
            }
        }
    }
}

extension AppStoreClientError {
    /// The error of a page that says there are more and does not lead on.
    fileprivate init<Response>(stuck page: AppStorePage<Response>, call: AppStoreServerCall) {
        let message =
            "Apple's answer to \(call.title) says that there are more pages, but leads to none: its cursor is "
            + "absent or "
            + "came before, or several pages in a row were empty. Try again later from the last."
        self.init(page.answer, to: call, code: .pagingStuck, message: message, isRetryable: true)
    }
}
