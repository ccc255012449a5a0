public import ArgumentParser
import PerennialBenchmarks
import PerennialDemo
import SubscriptionServer

/// The `perennial` command: a local App Store, a subscription server, and tools for both.
public struct Perennial: AsyncParsableCommand {
    /// The name and help of the command.
    public static let configuration = CommandConfiguration(
        commandName: "perennial",
        abstract: "Subscription infrastructure for apps that sell on the App Store.",
        version: "perennial \(ProgramVersion.current)",
        subcommands: [
            DemoCommand.self,
            ServeCommand.self,
            StoreCommand.self,
            KeysCommand.self,
            OperatorsCommand.self,
            CustomerCommand.self,
            NotificationsCommand.self,
            ExtendCommand.self,
            ConsumptionCommand.self,
            AccountTokenCommand.self,
            TransactionCommand.self,
            RefundsCommand.self,
            WebhooksCommand.self,
            AuditCommand.self,
            ConfigCommand.self,
            DoctorCommand.self,
            MigrateCommand.self,
            ExportCommand.self,
            ImportCommand.self,
            RebuildCommand.self,
            SimulateCommand.self,
            TokenCommand.self,
            SignCommand.self,
            DecodeCommand.self,
            VerifyCommand.self,
            ReceiptCommand.self,
            MigrateReceiptsCommand.self,
            APICommand.self,
            BenchCommand.self,
        ]
    )

    /// Makes the command; the parser sets its values.
    public init() {}

    /// Parses the command line and runs the command; the executable's only call.
    public static func start() async {
        if let unknown = UnknownCommand(in: Array(CommandLine.arguments.dropFirst()), of: Perennial.self) {
            exit(withError: ValidationError(unknown.message))
        }
        await main()
    }
}
