public import ArgumentParser

/// `perennial webhooks`: addresses that are called about events.
public struct WebhooksCommand: AsyncParsableCommand {
    /// The name and help of the command.
    public static let configuration = CommandConfiguration(
        commandName: "webhooks",
        abstract: "Have your backend called about events: endpoints, deliveries, tests and repeats.",
        discussion: """
            Asks a running server. The secret key comes from --key-file, then from PERENNIAL_API_SECRET_KEY, then \
            from PERENNIAL_DEV_SECRET_KEY. Times are in the time zone of this machine.

            Example:
              perennial webhooks listen
              perennial webhooks add https://api.example.com/webhooks --events 'entitlement.*'
              perennial webhooks test we_5f2b8c0f9a1e4d7c3b6a8e90
              perennial webhooks deliveries we_5f2b8c0f9a1e4d7c3b6a8e90 --state failed
            """,
        subcommands: [
            WebhookListenCommand.self, WebhookListCommand.self, WebhookAddCommand.self, WebhookShowCommand.self,
            WebhookChangeCommand.self,
            WebhookRotateCommand.self, WebhookTestCommand.self, WebhookResendCommand.self,
            WebhookDeliveriesCommand.self, WebhookRemoveCommand.self,
        ]
    )

    /// Makes the command; the parser sets its values.
    public init() {}
}

/// The endpoint of a command, and how to call the server.
struct WebhookEndpointOptions: ParsableArguments {
    @Argument(help: ArgumentHelp("The endpoint.", valueName: "endpoint-id"))
    var id: String

    @OptionGroup var connection: ServerOptions

    @Flag(help: "Print what the server returns.")
    var json = false

    func validate() throws {
        guard id.hasPrefix("we_") else {
            throw ValidationError("Give the id of an endpoint, we_…; perennial webhooks list shows them.")
        }
    }

    /// The path of the endpoint.
    func path(_ suffix: String = "") -> String { "/v1/webhook_endpoints/\(ServerCalls.encoded(id))\(suffix)" }
}
