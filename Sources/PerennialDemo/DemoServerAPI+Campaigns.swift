/// The calls of an operator who extends subscriptions. Each has an `Idempotency-Key`, because the server may be killed.
extension DemoServerAPI {
    private static let membersPerPage = 100

    /// Drafts a campaign.
    func draft(_ terms: DemoCampaignTerms) async throws -> ServedCampaign {
        let key = "demo-draft-\(terms.productIDs.joined(separator: "-"))"
        return try await http.send(.post, "/v1/extension_campaigns", terms, idempotencyKey: key)
    }

    /// Requests a dry run; the server counts in the background.
    func tryOut(_ campaign: String) async throws -> ServedCampaign {
        try await take("dry_run", of: campaign)
    }

    /// Approves a campaign with the key that drafted it.
    func approve(_ campaign: String) async throws -> ServedCampaign {
        try await take("approve", of: campaign, ["approve_own": true])
    }

    /// Starts a campaign; the server works on it in the background.
    func start(_ campaign: String) async throws -> ServedCampaign {
        try await take("start", of: campaign)
    }

    func campaign(_ id: String) async throws -> ServedCampaign {
        try await http.get("/v1/extension_campaigns/\(id)")
    }

    /// All members of a campaign, state by state and page by page.
    func members(of campaign: String) async throws -> [ServedExtension] {
        struct Page: Decodable {
            let data: [ServedExtension]
            let nextCursor: String?
        }
        var all: [ServedExtension] = []
        for state in ["planned", "ordered", "asked", "extended", "refused", "skipped", "unknown"] {
            var cursor: String?
            repeat {
                let query = "?state=\(state)&limit=\(Self.membersPerPage)" + (cursor.map { "&after=\($0)" } ?? "")
                let page: Page = try await http.get("/v1/extension_campaigns/\(campaign)/members" + query)
                all += page.data
                cursor = page.nextCursor
            } while cursor != nil
        }
        return all
    }

    /// Extends one subscription.
    ///
    /// - Parameter key: The name of the extension; the server extends once for each name.
    func extend(
        _ subscription: String,
        days: Int,
        reason: String,
        key: String
    ) async throws -> ServedExtension {
        struct Body: Encodable {
            let days: Int
            let reason: String

            enum CodingKeys: String, CodingKey {
                case days = "extend_by_days"
                case reason
            }
        }
        let path = "/v1/subscriptions/\(subscription)/extensions"
        return try await http.send(.post, path, Body(days: days, reason: reason), idempotencyKey: key)
    }

    private func take(
        _ step: String,
        of campaign: String,
        _ body: [String: Bool] = [:]
    ) async throws -> ServedCampaign {
        let path = "/v1/extension_campaigns/\(campaign)/\(step)"
        return try await http.send(.post, path, body, idempotencyKey: "demo-\(step)-\(campaign)")
    }
}

/// The terms of a campaign.
struct DemoCampaignTerms: Encodable, Hashable, Sendable {
    /// How Apple is asked.
    enum Method: String, Encodable, Sendable {
        /// By one order for each product.
        case mass
        /// About each member alone.
        case single
    }

    let productIDs: [String]
    /// The countries; nil for all.
    let storefronts: [String]?
    let days: Int
    let reason: String
    let method: Method

    enum CodingKeys: String, CodingKey {
        case productIDs = "product_ids"
        case storefronts
        case days = "extend_by_days"
        case reason
        case method
    }

    /// Whether the campaign is about a subscription.
    func concern(_ entry: DemoLedger.Entry) -> Bool {
        productIDs.contains(entry.productID) && storefronts?.contains(entry.storefront) ?? true
    }
}

/// The used part of `GET /v1/extension_campaigns/{id}`.
struct ServedCampaign: Decodable, Sendable {
    struct DryRun: Decodable, Sendable {
        /// Nil while it runs.
        let finishedAt: Int64?
        let eligible: Int
        /// Those that can be extended, by country.
        let storefronts: [String: Int]
        /// Those that cannot, by code.
        let ineligible: [String: Int]
    }

    struct Counts: Decodable, Sendable {
        let members: Int
        let extended: Int
        let extendedByOrder: Int
        /// The members that Apple did not extend, by code.
        let failed: [String: Int]
        /// The members that Apple was not asked about, by obstacle.
        let skipped: [String: Int]
        let unknown: Int

        /// All members that were not extended for a known reason.
        var refused: Int { failed.values.reduce(0, +) + skipped.values.reduce(0, +) }
    }

    /// An order at Apple, with Apple's own counts.
    struct Order: Decodable, Sendable {
        let state: String
        let succeeded: Int?
        let failed: Int?
    }

    let id: String
    let state: String
    let dryRun: DryRun?
    let isEnlisted: Bool
    let counts: Counts
    /// Nil in the answers to a step.
    let orders: [Order]?

    var isFinished: Bool { state == "finished" }
}

/// The used part of an extension: a member of a campaign, or one that was made alone.
struct ServedExtension: Decodable, Sendable {
    let subscriptionId: String
    let transactionId: String
    let state: String
    let periodEndsAt: Int64?

    var isExtended: Bool { state == "extended" }
}
