import AppStoreClient
import AppStoreModel

/// Reads several pages of Apple's notification history at a time.
struct HistoryReader: Sendable {
    /// Some pages, and how the history continues.
    struct Part: Sendable {
        /// How the history continues.
        enum Continuation: Sendable {
            /// With another part.
            case more(HistoryReader)
            /// It is read to its end.
            case end
            /// A query failed after these pages.
            case failed(AppStoreClientError)
        }

        /// The notifications, in the order of the history.
        var items: [NotificationHistoryResponseItem] = []
        /// The cursor after these pages; nil if no page was read.
        var cursor: PageCursor?
        /// What is known of the pages up to that one.
        var repetition: HistoryRepetition
        /// How the history continues.
        var continuation = Continuation.end
    }

    /// The maximum number of pages in a part. A page has at most 20 notifications, so that a part fits into one commit.
    private static let pagesMax = 6
    /// The time after which a part has no further page, so that the lease of the work is renewed in time.
    private static let timeMax = Duration.seconds(10)

    private var iterator: AppStorePages<NotificationHistoryResponse>.AsyncIterator
    private var repetition: HistoryRepetition

    init(
        _ api: AppStoreServerAPIClient.App,
        _ request: NotificationHistoryRequest,
        from cursor: PageCursor?,
        repetition: HistoryRepetition
    ) {
        iterator = api.notificationHistory(request, from: cursor).makeAsyncIterator()
        self.repetition = repetition
    }

    /// Reads the next pages. A failed query ends the part, and so does a page that shows that the history does not
    /// end; the pages read so far are in it.
    func next() async -> Part {
        let start = ContinuousClock.now
        var part = Part(repetition: repetition)
        var reader = self
        for _ in 0..<Self.pagesMax {
            do throws(AppStoreClientError) {
                guard let page = try await reader.iterator.next() else { return part }
                part.items += page.elements
                part.cursor = page.cursor
                if !page.hasMore { return part }
                if reader.repetition.note(page.elements, next: page.cursor) {
                    throw AppStoreClientError(repeated: page)
                }
                part.repetition = reader.repetition
                if ContinuousClock.now - start > Self.timeMax { break }
            } catch {
                part.continuation = .failed(error)
                return part
            }
        }
        part.continuation = .more(reader)
        return part
    }
}

extension AppStoreClientError {
    /// The error of a page that shows that the history does not end.
    fileprivate init(repeated page: AppStorePage<NotificationHistoryResponse>) {
        self.init(
            page.answer,
            to: .getNotificationHistory,
            code: .pagingStuck,
            message: "Apple's notification history does not end: a page leads back to an earlier one, or repeats it.",
            isRetryable: true
        )
    }
}
