public import AppStoreModel

/// One page of any call that has pages, as JSON: for tools.
public struct RawPage: Hashable, PagedResponse {
    /// The answer's object.
    public let json: JSONObject

    /// Takes any object.
    public init(json: JSONObject) {
        self.json = json
    }

    /// What its arrays hold, of which every documented page has one.
    public var pageElements: [JSONValue] { json.members.compactMap(\.value.arrayValue).flatMap(\.self) }

    /// Whether Apple says that there are more.
    public var hasMore: Bool { json["hasMore"]?.boolValue ?? false }

    /// The value of the member by which ``AppStoreServerCall/pageParameter`` is named.
    public var nextPageToken: String? {
        AppStoreServerCall.pageParameters.lazy.compactMap { json[$0]?.stringValue }.first
    }
}
