import AppStoreSigning
public import ArgumentParser

/// `perennial migrate-receipts`: the stored receipts of a verifyReceipt backend into a running server.
public struct MigrateReceiptsCommand: AsyncParsableCommand {
    /// The name and help of the command.
    public static let configuration = CommandConfiguration(
        commandName: "migrate-receipts",
        abstract: "Verify stored receipts offline, and send them to a running server, which asks the App Store.",
        discussion: """
            The file has a row per receipt: a user and the receipt in base64. It is CSV with a line of column names \
            (user, receipt), or one JSON object per line. Every receipt is verified up to Apple Root CA on all cores, \
            without a network. The server then asks Apple for the history and the statuses, and stores the answer \
            for the user. Receipts of one purchase (iOS 6) cannot be verified offline; the server asks about their id.

            Rows that fail go to FILE.receipts.rejected.csv, with line, code and reason. An interrupted migration \
            continues with the same command. A row that is sent twice changes nothing. The exit status is 1 if a row \
            was rejected. The secret key is read as by perennial customer.

            Example:
              perennial migrate-receipts receipts.csv --dry-run
              perennial migrate-receipts receipts.csv --events none --key-file key.txt
            """
    )

    @OptionGroup var subscribers: SubscriberOptions

    @Option(help: ArgumentHelp("The column with the receipt (default: a known name).", valueName: "name"))
    var receiptColumn: String?

    @Option(
        help: ArgumentHelp(
            "A root certificate to trust instead of Apple Root CA, in PEM or DER; repeatable.",
            valueName: "file"
        )
    )
    var root: [InputFile] = []

    @Option(help: ArgumentHelp("The expected app (default: any).", valueName: "id"))
    var bundleId: String?

    @Option(help: "The expected environment (default: any).")
    var environment: EnvironmentArgument?

    /// Makes the command; the parser sets its values.
    public init() {}

    /// Verifies, sends and prints the counts.
    public func run() async throws {
        let verifier = ReceiptVerifier(
            roots: try RootOption.roots(root, default: .appleRootCA) { der throws(SigningError) in
                try ReceiptRoot(der: der)
            },
            expecting: ReceiptExpectation(bundleId: bundleId, environment: environment?.environment)
        )
        try await subscribers.run(.receipt(verifier), purchaseColumn: receiptColumn)
    }
}
