import AppStoreModel
import Foundation
import HTTPTypes
package import Hummingbird
import SubscriptionCore
package import SubscriptionOperations
import SubscriptionStorage

/// Extensions of the period of one subscription.
package struct ExtensionsController: Sendable {
    private static let bodyBytesMax = 4 << 10

    private let extending: Extending

    /// Makes the controller.
    package init(extending: Extending) {
        self.extending = extending
    }

    /// Adds the routes.
    package func addRoutes(to group: RouterGroup<ServerRequestContext>) {
        group.get("subscriptions/{id}/extensions", use: list)
        group.post("subscriptions/{id}/extensions", use: extend)
    }

    private func list(_ request: Request, context: ServerRequestContext) async throws -> Response {
        let app = try context.secretKey().appID
        _ = try request.query([])
        let overview = try await extending.overview(of: try Self.subscription(context), app: app)
        var list = JSONObject()
        list["object"] = .string("list")
        list["data"] = .array(overview.extensions.map { .object(JSONObject(renewalExtension: $0)) })
        list["eligible"] = .bool(overview.obstacles.isEmpty)
        list["obstacles"] = .array(overview.obstacles.map { .object(JSONObject(problem: $0)) })
        return .json(list)
    }

    private func extend(_ request: Request, context: ServerRequestContext) async throws -> Response {
        let app = try context.secretKey().appID
        let body = try await request.jsonObject(limit: Self.bodyBytesMax)
        try body.allowOnly(["extend_by_days", "reason"])
        let row = try await extending.extend(
            Extending.Request(
                id: try Self.identifier(of: request),
                transactionID: try Self.subscription(context),
                days: try Self.days(in: body),
                reason: try Self.reason(in: body)
            ),
            app: app,
            by: try context.keyHolder(),
            permit: context.permit
        )
        guard row.state == .extended else {
            // A copy of the request gets the result when it is known.
            context.keepsNoAnswer()
            return .json(JSONObject(renewalExtension: row), status: .accepted)
        }
        return .json(JSONObject(renewalExtension: row), status: .created)
    }

    private static func subscription(_ context: ServerRequestContext) throws -> TransactionID {
        TransactionID(try context.parameters.require("id").checkedParameter("id"))
    }

    /// The caller's idempotency key is Apple's request identifier too; without one, the server makes it.
    private static func identifier(of request: Request) throws(APIError) -> RenewalExtensionID {
        guard let name = HTTPField.Name.idempotencyKey, let key = request.headers[name] else {
            return RenewalExtensionID(rawValue: UUID().uuidString.lowercased())
        }
        guard key.utf8.count <= Extending.identifierLengthMax else {
            throw .invalid(
                "Idempotency-Key",
                "The Idempotency-Key of an extension is Apple's requestIdentifier too, so it must not be longer than "
                    + "\(Extending.identifierLengthMax) characters."
            )
        }
        guard !Self.ownPrefixes.contains(where: key.hasPrefix) else {
            let prefixes = Self.ownPrefixes.joined(separator: " or ")
            throw .invalid(
                "Idempotency-Key",
                "The Idempotency-Key of an extension must not begin with \(prefixes), as the identifiers that the "
                    + "server makes. Use another key."
            )
        }
        return RenewalExtensionID(rawValue: key)
    }

    /// How identifiers of campaigns' members and of announcements begin.
    private static let ownPrefixes = [ExtensionCampaignID.prefix, "notification:"]

    static func days(in body: JSONObject) throws(APIError) -> Int {
        guard let value = body["extend_by_days"], value != .null else {
            throw .missing(
                "extend_by_days",
                "extend_by_days is missing. Give a number from 1 to \(Extending.daysMax)."
            )
        }
        guard case .integer(let days) = value, (1...Int64(Extending.daysMax)).contains(days) else {
            throw .invalid("extend_by_days", "extend_by_days must be a number from 1 to \(Extending.daysMax).")
        }
        return Int(days)
    }

    static func reason(in body: JSONObject) throws(APIError) -> RenewalExtension.Reason {
        guard let reason = RenewalExtension.Reason(rawValue: try body.requiredText("reason")) else {
            let known = RenewalExtension.Reason.allCases.map(\.rawValue).joined(separator: ", ")
            throw .invalid("reason", "reason must be one of \(known).")
        }
        return reason
    }
}

extension JSONObject {
    init(renewalExtension row: RenewalExtension) {
        self.init()
        self["object"] = .string("extension")
        self["id"] = .string(row.id.rawValue)
        self["subscription_id"] = .string(row.purchaseID.rawValue)
        self["transaction_id"] = .string(row.transactionID.rawValue)
        self["origin"] = .string(row.origin.rawValue)
        self["extend_by_days"] = row.days.map { .integer(Int64($0)) } ?? .null
        self["reason"] = .text(row.reason?.rawValue)
        self["state"] = .string(row.state.rawValue)
        self["created_at"] = .integer(row.createdAt.milliseconds)
        self["previous_period_ends_at"] = .time(row.previousEnd)
        self["period_ends_at"] = .time(row.newEnd)
        self["announced_at"] = .time(row.announcedAt)
        self["next_check_at"] = .time(row.checkAt)
        self["campaign_id"] = .text(row.campaignID?.rawValue)
        self["error"] = row.failure.map { .object(JSONObject(problem: $0)) } ?? .null
    }
}
