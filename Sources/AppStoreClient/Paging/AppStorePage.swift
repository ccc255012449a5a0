public import AppStoreModel

/// One page with the cursor of the next page; the fields of Apple's answer can be read directly.
@dynamicMemberLookup
public struct AppStorePage<Response: PagedResponse>: Sendable {
    /// The answer, as of any call.
    public let answer: AppStoreAnswer<Response>

    /// The cursor of this page; nil for the first page.
    public let start: PageCursor?

    /// The cursor of the next page; nil if Apple sends none, which happens only on the last page.
    ///
    /// A transaction or refund history has it on the last page too; stored, it later returns only new data.
    public var cursor: PageCursor? {
        answer.value.nextPageToken.map { PageCursor(environment: answer.answeredBy, token: $0) }
    }

    /// The page's elements.
    public var elements: [Response.PageElement] { answer.value.pageElements }

    /// The environment that answered.
    public var answeredBy: AppStoreEnvironment { answer.answeredBy }

    /// A field of Apple's answer.
    public subscript<Member>(dynamicMember member: KeyPath<Response, Member>) -> Member {
        answer.value[keyPath: member]
    }
}

/// An element with the cursor to resume from after it was processed.
public struct AppStorePageElement<Value: Sendable>: Sendable {
    /// The element.
    public let value: Value

    /// The cursor to resume from without missing an element. It is the start of the page, so that its elements are
    /// returned again, or the next page for the last element. nil for the very beginning.
    public let cursor: PageCursor?

    /// The environment that answered.
    public let answeredBy: AppStoreEnvironment
}

extension AppStorePageElement: Equatable where Value: Equatable {}
