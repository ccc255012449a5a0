import AppStoreModel
import Crypto
import HTTPTypes
package import Hummingbird
import PerennialPrimitives
import SubscriptionCore
package import SubscriptionOperations
import SubscriptionStorage

/// Reads customers.
package struct CustomersController: Sendable {
    private static let pageSizeMax = 1000

    private let reading: CustomerReading
    private let customerTimeline: CustomerTimeline
    private let refreshing: CustomerRefresh

    /// Makes the controller.
    package init(reading: CustomerReading, timeline: CustomerTimeline, refresh: CustomerRefresh) {
        self.reading = reading
        customerTimeline = timeline
        refreshing = refresh
    }

    /// Adds the routes.
    package func addRoutes(to group: RouterGroup<ServerRequestContext>) {
        group.get("customers/{app_user_id}/entitlements", use: entitlements)
        group.get("customers/{app_user_id}", use: customer)
        group.get("customers/{app_user_id}/offers", use: offers)
        group.get("customers/{app_user_id}/timeline", use: timeline)
        group.post("customers/{app_user_id}/refresh", use: refresh)
    }

    private func customer(_ request: Request, context: ServerRequestContext) async throws -> Response {
        try await answer(request, context, tagged: "c", includesRefusals: true) { JSONObject(customer: $0, for: $1) }
    }

    /// Most users of an app never buy, so an unknown customer is not an error here.
    private func entitlements(_ request: Request, context: ServerRequestContext) async throws -> Response {
        try await answer(request, context, tagged: "e", ofAnybody: true) { JSONObject(entitlementsOf: $0, for: $1) }
    }

    /// Apps request introductory offers mostly before the first purchase.
    private func offers(_ request: Request, context: ServerRequestContext) async throws -> Response {
        _ = try request.query([])
        let (app, id) = (try context.anyKey().appID, try context.customerID())
        let view = try await reading.offers(for: id, of: app)
        return .json(JSONObject(offersOf: view, for: try context.audience(asking: id)))
    }

    /// The timeline, oldest first. It needs a secret key, because it shows every input.
    private func timeline(_ request: Request, context: ServerRequestContext) async throws -> Response {
        let app = try context.secretKey().appID
        let page = try TimelinePage(request, sizeMax: Self.pageSizeMax)
        return page.answer(try await customerTimeline.entries(of: try context.customerID(), app: app))
    }

    /// Responds 304 if the client has the current response, which is often known without making it.
    private func answer(
        _ request: Request,
        _ context: ServerRequestContext,
        tagged kind: String,
        ofAnybody: Bool = false,
        includesRefusals: Bool = false,
        _ object: (CustomerView, Audience) -> JSONObject
    ) async throws -> Response {
        let app = try context.anyKey().appID
        let id = try context.customerID()
        let audience = try context.audience(asking: id)
        let kind = kind + audience.tag
        var past: Timestamp?
        var isExplained = false
        if request.uri.query != nil {
            let query = try request.query(["as_of", "explain"])
            past = try Self.time("as_of", query["as_of"])
            isExplained = try Self.flag("explain", query["explain"])
        }
        let ifNoneMatch = request.headers.value(of: .ifNoneMatch)
        if let ifNoneMatch, past == nil, !isExplained, let revision = try await reading.revision(of: id, app: app) {
            let tag = EntityTag(kind, revision)
            if tag.isNamed(in: ifNoneMatch) { return .notModified(tag) }
        }
        let view =
            ofAnybody
            ? try await reading.customerOrEmpty(id, of: app, asOf: past, isExplained: isExplained)
            : try await reading.customer(
                id,
                of: app,
                asOf: past,
                isExplained: isExplained,
                includesRefusals: includesRefusals
            )
        let body = object(view, audience)
        // The customer's version does not cover the explanation.
        let revision = isExplained ? nil : view.revision
        let tag = revision.map { EntityTag(kind, $0) } ?? EntityTag(over: body)
        return .cacheable(body, tag: tag, ifNoneMatch: ifNoneMatch)
    }

    /// Asks Apple now and responds with the customer. It needs a secret key, because it uses Apple's quota.
    private func refresh(_ request: Request, context: ServerRequestContext) async throws -> Response {
        let app = try context.secretKey().appID
        let id = try context.customerID()
        context.names(id)
        _ = try request.query([])
        let leftOut = try await refreshing.refresh(id, app: app, permit: context.permit)
        let view = try await reading.customer(id, of: app)
        var object = JSONObject(customer: view, for: try context.audience(asking: id))
        object["purchases_not_asked"] = .integer(Int64(leftOut))
        return .json(object)
    }

    private static func time(_ name: String, _ text: Substring?) throws(APIError) -> Timestamp? {
        guard let text else { return nil }
        guard let time = Timestamp(text: text) else { throw .invalidTime(name) }
        return time
    }

    private static func flag(_ name: String, _ text: Substring?) throws(APIError) -> Bool {
        switch text {
        case nil, "false"?: return false
        case "true"?: return true
        default: throw .invalid(name, "\(name) must be true or false.")
        }
    }
}

/// The tag of a response in `ETag` and `If-None-Match`.
private struct EntityTag {
    let text: String

    /// The tag of a kind of response with a revision.
    init(_ kind: String, _ revision: ResponseRevision) {
        text = "\"\(kind)\(revision.text)\""
    }

    /// The tag over the content of a response, except the time of evaluation.
    init(over object: JSONObject) {
        var lasting = object
        lasting["evaluated_at"] = nil
        text = "\"" + SHA256.hash(data: lasting.serialize()).prefix(16).hexadecimal + "\""
    }

    /// Whether the client has it: `If-None-Match` is a list, in which a tag may be marked as weak.
    ///
    /// - Source: RFC 9110, 13.1.2; it compares weakly.
    func isNamed(in ifNoneMatch: String) -> Bool {
        if ifNoneMatch == text { return true }
        return ifNoneMatch.utf8.split(separator: UInt8(ascii: ",")).contains { part in
            let named = part.drop { $0 == UInt8(ascii: " ") || $0 == UInt8(ascii: "\t") }
            let plain = named.starts(with: "W/".utf8) ? named.dropFirst(2) : named
            return plain.starts(with: text.utf8)
        }
    }
}

extension Response {
    /// The client has the current response.
    fileprivate static func notModified(_ tag: EntityTag) -> Response {
        Response(status: .notModified, headers: [.eTag: tag.text])
    }

    /// A response with its tag; 304 if the client already has it.
    fileprivate static func cacheable(_ object: JSONObject, tag: EntityTag, ifNoneMatch: String?) -> Response {
        if let ifNoneMatch, tag.isNamed(in: ifNoneMatch) { return .notModified(tag) }
        var response = Response.json(object)
        response.headers[.eTag] = tag.text
        response.headers[.cacheControl] = "private, no-cache"
        return response
    }
}
