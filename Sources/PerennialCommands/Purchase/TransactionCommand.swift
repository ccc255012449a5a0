public import ArgumentParser

/// `perennial transaction`: one transaction, changed through Apple.
public struct TransactionCommand: AsyncParsableCommand {
    /// The name and help of the command.
    public static let configuration = CommandConfiguration(
        commandName: "transaction",
        abstract: "Finish a transaction that an app never finished.",
        subcommands: [TransactionFinishCommand.self]
    )

    /// Makes the command; the parser sets its values.
    public init() {}
}
