import AppStoreModel
import HTTPTypes
import Hummingbird
import LocalAppStore

/// Synthetic customers and their purchase histories.
struct StorePopulationController: Sendable {
    let coordinator: StoreCoordinator

    func addRoutes(to routes: inout RouteTable) {
        routes.post("/_store/population", populate)
    }

    @Sendable private func populate(_ request: Request, _ context: StoreContext) async throws -> Response {
        let population = try PopulationRequest(await request.fields(PopulationRequest.members))
        return .json(try await coordinator.populate(population).json)
    }
}

extension PopulationRequest {
    /// The members of the body of `POST /_store/population`.
    static let members: Set<String> = ["accounts", "months", "seed", "behaviour", "delivered"]

    /// Reads the body; the default seed is 0.
    init(_ fields: RequestFields) throws(StoreCallError) {
        self.init(
            accounts: Int(try fields.requiredInteger("accounts")),
            months: Int(try fields.requiredInteger("months")),
            seed: UInt64(bitPattern: try fields.integer("seed") ?? 0),
            isDelivered: try fields.bool("delivered") ?? false
        )
        if let behaviour = try fields.object("behaviour", known: PopulationBehaviour.members) {
            self.behaviour = try PopulationBehaviour(behaviour)
        }
    }
}

extension PopulationBehaviour {
    /// The members of `behaviour`; omitted members keep their default.
    static let members: Set<String> = [
        "oneTimePurchases", "trialConversion", "churn", "billingFailures", "recoveries", "refunds", "resubscriptions",
        "upgrades", "downgrades", "crossgrades", "families", "familyDepartures",
    ]

    init(_ fields: RequestFields) throws(StoreCallError) {
        self.init()
        oneTimePurchases = try fields.number("oneTimePurchases") ?? oneTimePurchases
        trialConversion = try fields.number("trialConversion") ?? trialConversion
        billingFailures = try fields.number("billingFailures") ?? billingFailures
        recoveries = try fields.number("recoveries") ?? recoveries
        refunds = try fields.number("refunds") ?? refunds
        upgrades = try fields.number("upgrades") ?? upgrades
        downgrades = try fields.number("downgrades") ?? downgrades
        crossgrades = try fields.number("crossgrades") ?? crossgrades
        families = try fields.number("families") ?? families
        familyDepartures = try fields.number("familyDepartures") ?? familyDepartures
        resubscriptions = try fields.number("resubscriptions") ?? resubscriptions
        guard let curve = try fields.object("churn", known: ["weekly", "monthly", "yearly", "decay", "floor"]) else {
            return
        }
        churn.weekly = try curve.number("weekly") ?? churn.weekly
        churn.monthly = try curve.number("monthly") ?? churn.monthly
        churn.yearly = try curve.number("yearly") ?? churn.yearly
        churn.decay = try curve.number("decay") ?? churn.decay
        churn.floor = try curve.number("floor") ?? churn.floor
    }
}

extension PopulationReport {
    /// The answer of `POST /_store/population`.
    var json: JSONObject {
        [
            "accounts": .integer(Int64(accounts)),
            "subscriptions": .integer(Int64(subscriptions)),
            "transactions": .integer(Int64(transactions)),
            "endDate": .integer(endDate),
        ]
    }
}
