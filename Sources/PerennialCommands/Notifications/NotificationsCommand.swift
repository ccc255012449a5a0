public import ArgumentParser

/// `perennial notifications`: Apple's notifications, and what the server holds of them.
public struct NotificationsCommand: AsyncParsableCommand {
    /// The name and help of the command.
    public static let configuration = CommandConfiguration(
        commandName: "notifications",
        abstract: "Compare Apple's notifications with what the server holds.",
        subcommands: [RecoverCommand.self, SwitchCommand.self]
    )

    /// Makes the command; the parser sets its values.
    public init() {}
}
