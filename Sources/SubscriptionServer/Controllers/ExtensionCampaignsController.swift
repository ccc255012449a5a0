import AppStoreModel
import HTTPTypes
package import Hummingbird
import SubscriptionCore
package import SubscriptionOperations
import SubscriptionStorage

/// Extension campaigns: from the draft to the results of their members.
package struct ExtensionCampaignsController: Sendable {
    private static let bodyBytesMax = 64 << 10
    private static let pageMax = 100
    private static let membersMax = 1_000

    private let campaigns: ExtensionCampaigns

    /// Makes the controller.
    package init(campaigns: ExtensionCampaigns) {
        self.campaigns = campaigns
    }

    /// Adds the routes.
    package func addRoutes(to group: RouterGroup<ServerRequestContext>) {
        group.get("extension_campaigns", use: list)
        group.post("extension_campaigns", use: draft)
        group.get("extension_campaigns/{id}", use: show)
        group.get("extension_campaigns/{id}/candidates", use: candidates)
        group.get("extension_campaigns/{id}/members", use: members)
        group.post("extension_campaigns/{id}/dry_run", use: tryOut)
        group.post("extension_campaigns/{id}/approve", use: approve)
        group.post("extension_campaigns/{id}/start", use: start)
        group.post("extension_campaigns/{id}/cancel", use: cancel)
    }

    private func draft(_ request: Request, context: ServerRequestContext) async throws -> Response {
        let app = try context.secretKey().appID
        let body = try await request.jsonObject(limit: Self.bodyBytesMax)
        try body.allowOnly(["product_ids", "storefronts", "extend_by_days", "reason", "window", "method"])
        let campaign = try await campaigns.draft(
            try ExtensionCampaign.Terms(body),
            id: ExtensionCampaignID(rawValue: context.newID(ExtensionCampaignID.prefix, in: app.rawValue)),
            app: app,
            by: try context.keyHolder()
        )
        return .json(JSONObject(campaign: campaign), status: .created)
    }

    private func tryOut(_ request: Request, context: ServerRequestContext) async throws -> Response {
        let (app, id) = try Self.target(request, context)
        let campaign = try await campaigns.tryOut(id, app: app, by: try context.keyHolder())
        return .json(JSONObject(campaign: campaign), status: .accepted)
    }

    private func approve(_ request: Request, context: ServerRequestContext) async throws -> Response {
        let app = try context.secretKey().appID
        let body = try await request.optionalJSONObject(limit: Self.bodyBytesMax)
        try body.allowOnly(["approve_own"])
        let campaign = try await campaigns.approve(
            try Self.id(context),
            ownApproval: try body.flag("approve_own"),
            app: app,
            by: try context.keyHolder()
        )
        return .json(JSONObject(campaign: campaign))
    }

    private func start(_ request: Request, context: ServerRequestContext) async throws -> Response {
        let (app, id) = try Self.target(request, context)
        return .json(JSONObject(campaign: try await campaigns.start(id, app: app, by: try context.keyHolder())))
    }

    private func cancel(_ request: Request, context: ServerRequestContext) async throws -> Response {
        let (app, id) = try Self.target(request, context)
        // Read before: a failure then is no failure of a cancel that was stored.
        let orders = try await campaigns.orders(of: id, app: app)
        let campaign = try await campaigns.cancel(id, app: app, by: try context.keyHolder())
        return .json(JSONObject(campaign: campaign, orders: orders))
    }

    private func show(_ request: Request, context: ServerRequestContext) async throws -> Response {
        let (app, id) = try Self.target(request, context)
        let campaign = try await campaigns.campaign(id, app: app)
        let orders = try await campaigns.orders(of: id, app: app)
        var object = JSONObject(campaign: campaign, orders: orders)
        object["awaits_announcements"] = .bool(try await campaigns.awaitsAnnouncements(of: campaign, app: app))
        return .json(object)
    }

    private func list(_ request: Request, context: ServerRequestContext) async throws -> Response {
        let app = try context.secretKey().appID
        let query = try request.query(["after", "limit"])
        let size = try query.number("limit", in: 1...Self.pageMax) ?? Self.pageMax
        let last = try query["after"].map { ExtensionCampaignID(rawValue: try String($0).checkedParameter("after")) }
        let found = try await campaigns.campaigns(app: app, before: last, limit: size + 1)
        return .json(
            JSONObject(page: found.prefix(size), hasMore: found.count > size, cursor: \.id.rawValue) {
                JSONObject(campaign: $0)
            }
        )
    }

    private func members(_ request: Request, context: ServerRequestContext) async throws -> Response {
        let app = try context.secretKey().appID
        let query = try request.query(["state", "after", "limit"])
        guard let state = query["state"].flatMap({ RenewalExtension.State(rawValue: String($0)) }) else {
            let known = RenewalExtension.State.allCases.map(\.rawValue).joined(separator: ", ")
            throw APIError.invalid("state", "state must be one of \(known).")
        }
        let size = try query.number("limit", in: 1...Self.membersMax) ?? Self.membersMax
        let last = try query["after"].map { RenewalExtensionID(rawValue: try String($0).checkedParameter("after")) }
        let found = try await campaigns.members(
            of: try Self.id(context),
            in: state,
            after: last,
            app: app,
            limit: size + 1
        )
        return .json(
            JSONObject(page: found.prefix(size), hasMore: found.count > size, cursor: \.id.rawValue) {
                JSONObject(renewalExtension: $0)
            }
        )
    }

    private func candidates(_ request: Request, context: ServerRequestContext) async throws -> Response {
        let app = try context.secretKey().appID
        let query = try request.query(["after", "limit"])
        let size = try query.number("limit", in: 1...Self.membersMax) ?? Self.membersMax
        let last = try query["after"].map { OriginalTransactionID(try String($0).checkedParameter("after")) }
        let page = try await campaigns.candidates(for: try Self.id(context), after: last, app: app, limit: size)
        var list = JSONObject()
        list["object"] = .string("list")
        list["data"] = .array(page.candidates.map { .object(JSONObject(candidate: $0)) })
        list["has_more"] = .bool(page.last != nil)
        list["next_cursor"] = .text(page.last?.rawValue)
        return .json(list)
    }

    /// The app and the campaign of a request without parameters.
    private static func target(
        _ request: Request,
        _ context: ServerRequestContext
    ) throws -> (AppID, ExtensionCampaignID) {
        let app = try context.secretKey().appID
        _ = try request.query([])
        return (app, try id(context))
    }

    private static func id(_ context: ServerRequestContext) throws -> ExtensionCampaignID {
        ExtensionCampaignID(rawValue: try context.parameters.require("id").checkedParameter("id"))
    }
}

extension ExtensionCampaign.Terms {
    /// Reads the body of a draft.
    ///
    /// - Throws: `parameter_invalid`, naming the member.
    fileprivate init(_ body: JSONObject) throws(APIError) {
        let products = try body.requiredTexts("product_ids", countMax: ExtensionCampaigns.productsMax)
        var storefronts: [String]?
        if let given = body["storefronts"], given != .null {
            if case .array(let values) = given, !values.allSatisfy({ $0.stringValue?.isCountry ?? false }) {
                throw .invalid(
                    "storefronts",
                    "Each of storefronts must be a country with three capital letters (ISO 3166-1 alpha-3), such as "
                        + "USA. Leave storefronts out if all are meant."
                )
            }
            storefronts = try body.requiredTexts("storefronts", countMax: ExtensionCampaigns.storefrontsMax)
        }
        var method: ExtensionCampaign.Method?
        if let text = try body.optionalText("method") {
            method = ExtensionCampaign.Method(rawValue: text)
            guard method != nil else { throw .invalid("method", "method must be single or mass.") }
        }
        self.init(
            productIDs: products.map(ProductID.init(rawValue:)),
            storefronts: storefronts,
            days: try ExtensionsController.days(in: body),
            reason: try ExtensionsController.reason(in: body),
            window: try Self.window(in: body),
            method: method
        )
    }

    private static func window(in body: JSONObject) throws(APIError) -> ExtensionCampaign.Window? {
        guard let given = body["window"], given != .null else { return nil }
        guard case .object(let span) = given else {
            throw .invalid("window", "window must be an object with from and to.")
        }
        try span.allowOnly(["from", "to"])
        return ExtensionCampaign.Window(
            from: try span.requiredTime("from"),
            to: try span.requiredTime("to")
        )
    }
}

extension String {
    fileprivate var isCountry: Bool { utf8.count == 3 && utf8.allSatisfy { (0x41...0x5A).contains($0) } }
}

extension JSONObject {
    /// A list of different texts that is not empty.
    fileprivate func requiredTexts(_ name: String, countMax: Int) throws(APIError) -> [String] {
        guard let value = self[name], value != .null else {
            throw .missing(name, "\(name) is missing. Give a list of 1 to \(countMax) texts.")
        }
        guard case .array(let values) = value, (1...countMax).contains(values.count) else {
            throw .invalid(name, "\(name) must be a list of 1 to \(countMax) texts.")
        }
        var texts: [String] = []
        for value in values {
            guard let text = value.stringValue else { throw .invalid(name, "\(name) must have texts only.") }
            guard !text.isEmpty else { throw .invalid(name, "\(name) must not have an empty text.") }
            // Lists of names are stored with one name on a line.
            guard !text.contains(where: \.isNewline) else { throw .invalid(name, "\(name) must not have line breaks.") }
            texts.append(try text.checkedParameter(name))
        }
        guard Set(texts).count == texts.count else { throw .invalid(name, "\(name) must not repeat a text.") }
        return texts
    }

    /// A campaign; with its orders if it is shown alone, or was cancelled now.
    fileprivate init(campaign: ExtensionCampaign, orders: [MassExtensionOrder]? = nil) {
        self.init()
        let terms = campaign.terms
        self["object"] = .string("extension_campaign")
        self["id"] = .string(campaign.id.rawValue)
        self["product_ids"] = .array(terms.productIDs.map { .string($0.rawValue) })
        self["storefronts"] = terms.storefronts.map { .array($0.map { .string($0) }) } ?? .null
        self["extend_by_days"] = .integer(Int64(terms.days))
        self["reason"] = .string(terms.reason.rawValue)
        self["method"] = .string(terms.method.rawValue)
        self["window"] =
            terms.window.map {
                var window = JSONObject()
                window["from"] = .integer($0.from.milliseconds)
                window["to"] = .integer($0.to.milliseconds)
                return .object(window)
            } ?? .null
        self["state"] = .string(campaign.state.rawValue)
        self["created_at"] = .integer(campaign.createdAt.milliseconds)
        self["approved_at"] = .time(campaign.approvedAt)
        self["started_at"] = .time(campaign.startedAt)
        self["ended_at"] = .time(campaign.endedAt)
        self["dry_run"] = campaign.dryRun.map { .object(JSONObject(dryRun: $0, of: campaign)) } ?? .null
        self["is_enlisted"] = .bool(campaign.isEnlisted)
        self["counts"] = .object(JSONObject(countsOf: campaign))
        self["retry_at"] = .time(campaign.retryAt)
        self["next_try_at"] = .time(campaign.nextTryAt)
        self["error"] = campaign.failure.map { .object(JSONObject(problem: $0)) } ?? .null
        guard let orders else { return }
        self["orders"] = .array(orders.map { .object(JSONObject(order: $0)) })
        self["disagreements"] = .array(
            campaign.disagreements(with: orders).map { .object(JSONObject(problem: $0)) }
        )
    }

    private init(order: MassExtensionOrder) {
        self.init()
        self["product_id"] = .string(order.productID.rawValue)
        self["request_id"] = .string(order.requestID)
        self["state"] = .string(order.state.rawValue)
        self["accepted_at"] = .time(order.acceptedAt)
        self["next_look_at"] = .time(order.checkAt)
        self["completed_at"] = .time(order.completedAt)
        self["summary_at"] = .time(order.summaryAt)
        self["succeeded"] = order.succeeded.map { .integer(Int64($0)) } ?? .null
        self["failed"] = order.failed.map { .integer(Int64($0)) } ?? .null
        self["error"] = order.failure.map { .object(JSONObject(problem: $0)) } ?? .null
    }

    private init(dryRun run: ExtensionCampaign.DryRun, of campaign: ExtensionCampaign) {
        self.init()
        self["started_at"] = .integer(run.startedAt.milliseconds)
        self["finished_at"] = .time(run.finishedAt)
        self["eligible"] = .integer(Int64(run.counts.eligible))
        self["ineligible"] = .object(JSONObject(counts: run.counts.ineligible))
        self["ineligible_products"] = campaign.ineligibleProducts.map { .object(JSONObject(groups: $0)) } ?? .null
        self["ineligible_storefronts"] = campaign.ineligibleStorefronts.map { .object(JSONObject(groups: $0)) } ?? .null
        self["products"] = .object(JSONObject(counts: run.counts.products))
        self["storefronts"] = .object(JSONObject(counts: run.counts.storefronts))
        self["renewals"] = .object(JSONObject(counts: run.counts.renewals))
        let products = campaign.productsWithoutEligible?.map(\.rawValue)
        self["products_without_eligible"] = products.map { .array($0.map { .string($0) }) } ?? .null
        let storefronts = campaign.storefrontsWithoutEligible
        self["storefronts_without_eligible"] = storefronts.map { .array($0.map { .string($0) }) } ?? .null
    }

    private init(countsOf campaign: ExtensionCampaign) {
        self.init()
        let members = campaign.members
        let planned = campaign.postponedCount + (members[RenewalExtension.State.planned.rawValue] ?? 0)
        let skipped = Self.counts(of: .skipped, in: members)
        let all = members.values.reduce(0, +)
        self["members"] = .integer(Int64(all))
        self["planned"] = .integer(Int64(planned))
        self["postponed"] = .integer(Int64(campaign.postponedCount))
        self["asked"] = .integer(Int64(all - planned - skipped.values.reduce(0, +)))
        let (byOrder, unseen) = (members["extended:order"] ?? 0, members[RenewalExtension.unseenResult] ?? 0)
        let extended = byOrder + unseen + (members[RenewalExtension.State.extended.rawValue] ?? 0)
        self["ordered"] = .integer(Int64(members[RenewalExtension.State.ordered.rawValue] ?? 0))
        self["extended"] = .integer(Int64(extended))
        self["extended_by_order"] = .integer(Int64(byOrder))
        self["extended_unseen"] = .integer(Int64(unseen))
        self["failed"] = .object(JSONObject(counts: Self.counts(of: .refused, in: members)))
        self["skipped"] = .object(JSONObject(counts: skipped))
        self["in_doubt"] = .integer(Int64(members[RenewalExtension.State.asked.rawValue] ?? 0))
        self["unknown"] = .integer(Int64(members[RenewalExtension.State.unknown.rawValue] ?? 0))
        self["ineligible"] = .object(JSONObject(counts: campaign.enlisted.ineligible))
    }

    /// The members in a state by code.
    private static func counts(of state: RenewalExtension.State, in members: [String: Int]) -> [String: Int] {
        let prefix = state.rawValue + ":"
        let found = members.filter { $0.key.hasPrefix(prefix) }
        return Dictionary(uniqueKeysWithValues: found.map { (String($0.key.dropFirst(prefix.count)), $0.value) })
    }

    private init(counts: [String: Int]) {
        self.init()
        for (name, count) in counts.sorted(by: { $0.key < $1.key }) { self[name] = .integer(Int64(count)) }
    }

    private init(groups: [String: [String: Int]]) {
        self.init()
        for (name, counts) in groups.sorted(by: { $0.key < $1.key }) {
            self[name] = .object(JSONObject(counts: counts))
        }
    }

    fileprivate init(candidate: CampaignCandidate) {
        self.init()
        self["object"] = .string("extension_candidate")
        self["subscription_id"] = .string(candidate.purchaseID.rawValue)
        self["product_id"] = .string(candidate.productID.rawValue)
        self["storefront"] = .text(candidate.storefront)
        self["period_ends_at"] = .time(candidate.periodEnd)
        self["eligible"] = .bool(candidate.obstacle == nil)
        self["obstacle"] = candidate.obstacle.map { .object(JSONObject(problem: $0)) } ?? .null
    }
}
