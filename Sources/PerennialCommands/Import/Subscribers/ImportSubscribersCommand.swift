public import ArgumentParser

/// `perennial import subscribers`: existing subscribers into a running server.
public struct ImportSubscribersCommand: AsyncParsableCommand {
    /// The name and help of the command.
    public static let configuration = CommandConfiguration(
        commandName: "subscribers",
        abstract: "Send existing subscribers to a running server, which asks the App Store about each.",
        discussion: """
            The file has a row per purchase: a user and a transaction id. It is CSV with a line of column names, or \
            one JSON object per line: a plain list (user, original_transaction_id), claims.ndjson, purchases.ndjson or \
            purchases.csv of perennial export, or RevenueCat's export of transactions (its column names are \
            unverified). Other stores' rows and purchases without a customer are skipped.

            Rows that cannot be imported go to FILE.rejected.csv, with line, code and reason. An interrupted import \
            continues with the same command. A row that is sent twice changes nothing. The exit status is 1 if a row \
            was rejected. The secret key is read as by perennial customer.

            Example:
              perennial import subscribers users.csv --dry-run
              perennial import subscribers users.csv --events none --server https://subs.example.com
            """
    )

    @OptionGroup var subscribers: SubscriberOptions

    @Option(help: ArgumentHelp("The column with the transaction id (default: a known name).", valueName: "name"))
    var transactionColumn: String?

    /// Makes the command; the parser sets its values.
    public init() {}

    /// Imports and prints the counts.
    public func run() async throws {
        try await subscribers.run(.transactionID, purchaseColumn: transactionColumn)
    }
}
