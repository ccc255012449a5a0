import AppStoreModel
package import Hummingbird
import SubscriptionCore
package import SubscriptionOperations

/// Lets local stores set this server's clock. Mounted only if the server follows a store.
package struct ClockController: Sendable {
    private let time: FollowedTimeSource
    private let duePurchases: DuePurchases
    private let works: [any SettledWork]
    private let webhooks: any SettledWork
    private let tokens: [String]

    /// Makes the controller.
    ///
    /// - Parameters:
    ///   - works: What is done at each movement of the clock, in order.
    ///   - webhooks: What is done at last, when everything that happened has its event.
    ///   - tokens: The token of each store, in the order of the clock's stores; the server gave it to the store when it
    ///     joined.
    package init(
        time: FollowedTimeSource,
        duePurchases: DuePurchases,
        works: [any SettledWork],
        webhooks: any SettledWork,
        tokens: [String]
    ) {
        self.time = time
        self.duePurchases = duePurchases
        self.works = works
        self.webhooks = webhooks
        self.tokens = tokens
    }

    /// Adds the route.
    package func addRoutes(to router: Router<ServerRequestContext>) {
        router.post("_clock/settle", use: settle)
    }

    /// Moves to the store's time and responds when nothing is due any more.
    private func settle(_ request: Request, context: ServerRequestContext) async throws -> Response {
        let authorization = request.headers[.authorization]
        guard let store = tokens.firstIndex(where: { authorization == "Bearer \($0)" }) else {
            throw APIError(
                .unauthorized,
                .authentication,
                "key_invalid",
                "Only the local store that this server follows may call this."
            )
        }
        let body = try await request.jsonObject(limit: 4096)
        guard case .integer(let now)? = body["now"] else {
            throw APIError.invalid("now", "now must be milliseconds since 1970.")
        }
        if time.move(to: Timestamp(milliseconds: now), ofStore: store) {
            _ = try await duePurchases.rederive(at: time.now())
        }
        // What was missed comes first, because it may move the ends of access. If it fails, it is repeated later.
        for work in works { await work.settle(reportingTo: context.logger) }
        let settled = try await duePurchases.settle(until: time.now())
        await webhooks.settle(reportingTo: context.logger)
        var answer = JSONObject()
        answer["now"] = .integer(time.now().milliseconds)
        answer["settled"] = .integer(Int64(settled.evaluated))
        return .json(answer)
    }
}
