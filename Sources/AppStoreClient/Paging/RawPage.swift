public import AppStoreModel

/// One page of any paged call, as JSON; for tools.
public struct RawPage: Hashable, PagedResponse {
    /// The answer's object.
    public let json: JSONObject

    /// Accepts any object.
    public init(json: JSONObject) {
        self.json = json
    }

    /// The elements of its arrays; every documented page has one array.
    public var pageElements: [JSONValue] { json.members.compactMap(\.value.arrayValue).flatMap(\.self) }

    /// Whether Apple reports more pages.
    public var hasMore: Bool { json["hasMore"]?.boolValue ?? false }

    /// The value of the member with the name of `AppStoreServerCall.pageParameter`.
    public var nextPageToken: String? {
        AppStoreServerCall.pageParameters.lazy.compactMap { json[$0]?.stringValue }.first
    }
}
