public import ArgumentParser

/// `perennial consumption`: the answers to Apple's questions about refund requests.
public struct ConsumptionCommand: AsyncParsableCommand {
    /// The name and help of the command.
    public static let configuration = CommandConfiguration(
        commandName: "consumption",
        abstract: "Show how refund requests were answered, and try another policy on them.",
        subcommands: [ConsumptionListCommand.self, ConsumptionShowCommand.self, ConsumptionReplayCommand.self]
    )

    /// Makes the command; the parser sets its values.
    public init() {}
}
