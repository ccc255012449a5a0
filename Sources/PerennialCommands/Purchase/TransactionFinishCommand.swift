import AppStoreModel
import ArgumentParser
import PerennialCommandSupport

/// `perennial transaction finish`: has a server finish a transaction through Apple.
struct TransactionFinishCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "finish",
        abstract: "Finish a transaction through Apple, as the app does after it delivered the purchase.",
        discussion: """
            Asks a running server, which asks Apple. Do it only when the customer has what they paid for: StoreKit \
            then no longer gives the transaction to the app as unfinished. The secret key comes from --key-file, then \
            from PERENNIAL_API_SECRET_KEY, then from PERENNIAL_DEV_SECRET_KEY. The exit status is 0 if Apple finished \
            it, and 1 otherwise. After an error the command can be repeated without harm.

            Example:
              perennial transaction finish 2000000123456789
            """
    )

    @Argument(help: ArgumentHelp("The transaction.", valueName: "transaction-id"))
    var id: String

    @OptionGroup var connection: ServerOptions

    @Flag(help: "Print the result as the server returns it.")
    var json = false

    func validate() throws {
        guard !id.isEmpty else { throw ValidationError("Give the id of the transaction.") }
    }

    func run() async throws {
        try await connection.withCalls { server in
            let path = "/v1/transactions/\(ServerCalls.encoded(id))/finish"
            let result = try await server.post(path, [:], within: PurchaseCallDeadline.duration)
            guard !json else {
                StandardOutput.printLine(String(decoding: result.serialize(), as: UTF8.self))
                return
            }
            let purchase = result["purchase_id"]?.stringValue ?? "?"
            StandardOutput.printLine(TerminalText.escaped("\(id) of the purchase \(purchase) is finished"))
        }
    }
}
