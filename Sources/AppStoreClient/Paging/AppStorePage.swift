public import AppStoreModel

/// One page with the cursor that leads on from it; the fields of Apple's answer can be read from it directly.
@dynamicMemberLookup
public struct AppStorePage<Response: PagedResponse>: Sendable {
    /// The answer as of any call.
    public let answer: AppStoreAnswer<Response>

    /// The cursor that led to this page; nil for a beginning.
    public let start: PageCursor?

    /// The cursor that leads on; nil where Apple gives none, which it does only on a last page.
    ///
    /// Of a transaction or refund history it is there on the last page too: kept, it later brings only what is new.
    public var cursor: PageCursor? {
        answer.value.nextPageToken.map { PageCursor(environment: answer.answeredBy, token: $0) }
    }

    /// The page's elements.
    public var elements: [Response.PageElement] { answer.value.pageElements }

    /// Which environment answered.
    public var answeredBy: AppStoreEnvironment { answer.answeredBy }

    /// A field of Apple's answer.
    public subscript<Member>(dynamicMember member: KeyPath<Response, Member>) -> Member {
        answer.value[keyPath: member]
    }
}

/// An element with the cursor to resume from once it is dealt with.
public struct AppStorePageElement<Value: Sendable>: Sendable {
    /// The element.
    public let value: Value

    /// Where to resume after this element without missing one: at the beginning of its page, so that the page's
    /// elements come again, or after the page when this is its last. nil for the very beginning.
    public let cursor: PageCursor?

    /// Which environment answered.
    public let answeredBy: AppStoreEnvironment
}

extension AppStorePageElement: Equatable where Value: Equatable {}
