import AppStoreModel
import ArgumentParser
import SubscriptionCore

/// `perennial extend campaign draft`: drafts a campaign. Nothing is extended.
struct CampaignDraftCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "draft",
        abstract: "Draft a campaign. Nothing is extended yet."
    )

    @Option(help: ArgumentHelp("A product whose subscribers are meant; repeatable.", valueName: "id"))
    var product: [String]

    @Option(help: ArgumentHelp("The number of days, 1 to 90.", valueName: "n"))
    var days: Int

    @Option(
        help: ArgumentHelp(
            "What the server sends Apple: outage, satisfaction, other or undeclared.",
            valueName: "reason"
        )
    )
    var reason: String

    @Option(help: ArgumentHelp("A storefront, such as USA; repeatable. All by default.", valueName: "country"))
    var storefront: [String] = []

    @Option(help: ArgumentHelp("The start of the outage: only who was subscribed in it is meant.", valueName: "time"))
    var from: String?

    @Option(help: ArgumentHelp("The end of the outage.", valueName: "time"))
    var to: String?

    @Option(
        help: ArgumentHelp(
            "single: ask Apple about each member; mass: one order for each product (default without --from).",
            valueName: "method"
        )
    )
    var method: String?

    @Flag(help: "Print the campaign as the server returns it.")
    var json = false

    @OptionGroup var connection: ServerOptions

    func validate() throws {
        guard (from == nil) == (to == nil) else { throw ValidationError("Give both --from and --to, or neither.") }
    }

    func run() async throws {
        var body = JSONObject()
        body["product_ids"] = .array(product.map { .string($0) })
        body["extend_by_days"] = .integer(Int64(days))
        body["reason"] = .string(reason)
        body["method"] = method.map { .string($0) }
        if !storefront.isEmpty { body["storefronts"] = .array(storefront.map { .string($0) }) }
        if let from, let to {
            var window = JSONObject()
            window["from"] = .string(from)
            window["to"] = .string(to)
            body["window"] = .object(window)
        }
        try await connection.withCalls { [body] server in
            CampaignText(try await server.post("/v1/extension_campaigns", body)).print(asJSON: json)
        }
    }
}
