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
        try ExtendCommand.check(days: days)
        guard (from == nil) == (to == nil) else { throw ValidationError("Give both --from and --to, or neither.") }
        guard product.allSatisfy({ !$0.isEmpty }) else { throw ValidationError("--product needs the id of a product.") }
        guard let wrong = storefront.first(where: { !Self.isCountry($0) }) else { return }
        throw ValidationError(
            "--storefront must be a country with three capital letters (ISO 3166-1 alpha-3), such as USA; not "
                + "\"\(wrong)\". Leave it out if all storefronts are meant."
        )
    }

    private static func isCountry(_ text: String) -> Bool {
        text.utf8.count == 3 && text.utf8.allSatisfy { (0x41...0x5A).contains($0) }
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
