public import ArgumentParser

/// `perennial account-token`: the token by which Apple names the customer of a purchase.
public struct AccountTokenCommand: AsyncParsableCommand {
    /// The name and help of the command.
    public static let configuration = CommandConfiguration(
        commandName: "account-token",
        abstract: "Change which customer Apple names in a purchase.",
        subcommands: [AccountTokenSetCommand.self]
    )

    /// Makes the command; the parser sets its values.
    public init() {}
}
