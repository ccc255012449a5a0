public import ArgumentParser

/// `perennial extend`: paid periods lengthened through Apple.
public struct ExtendCommand: AsyncParsableCommand {
    /// The name and help of the command.
    public static let configuration = CommandConfiguration(
        commandName: "extend",
        abstract: "Lengthen the paid period of subscriptions.",
        subcommands: [ExtendOneCommand.self, CampaignCommand.self]
    )

    /// Makes the command; the parser sets its values.
    public init() {}
}
