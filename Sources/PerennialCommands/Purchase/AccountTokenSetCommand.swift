import AppStoreModel
import ArgumentParser
import PerennialCommandSupport
import PerennialPrimitives

/// `perennial account-token set`: has a server set the account token of a purchase through Apple.
struct AccountTokenSetCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "set",
        abstract: "Set the appAccountToken of a purchase through Apple.",
        discussion: """
            Asks a running server, which asks Apple. A new token replaces the old one. In a subscription it counts \
            from the present period on. The owner of the purchase follows the token, unless a submission with a secret \
            key or a transfer outranks it. The secret key comes from --key-file, then from PERENNIAL_API_SECRET_KEY, \
            then from PERENNIAL_DEV_SECRET_KEY. The exit status is 0 if Apple set the token, and 1 otherwise. After \
            an error the command can be repeated without harm.

            Example:
              perennial account-token set 2000000123456789 \\
                --token 6f1d2a52-5c3b-4c1e-9a57-0d6c2a9be001
            """
    )

    @Argument(help: ArgumentHelp("The purchase, or any of its transactions.", valueName: "purchase-id"))
    var id: String

    @Option(help: ArgumentHelp("The new token, a UUID: the customer's id in your app.", valueName: "uuid"))
    var token: String

    @OptionGroup var connection: ServerOptions

    @Flag(help: "Print the result as the server returns it.")
    var json = false

    func validate() throws {
        guard !id.isEmpty else { throw ValidationError("Give the id of the purchase, or of a transaction.") }
        guard token.isUUID else {
            throw ValidationError("--token must be a UUID, such as 6f1d2a52-5c3b-4c1e-9a57-0d6c2a9be001.")
        }
    }

    func run() async throws {
        try await connection.withCalls { server in
            let path = "/v1/purchases/\(ServerCalls.encoded(id))/app_account_token"
            let body: JSONObject = ["app_account_token": .string(token)]
            let result = try await server.put(path, body, within: PurchaseCallDeadline.duration)
            guard !json else {
                StandardOutput.printLine(String(decoding: result.serialize(), as: UTF8.self))
                return
            }
            for line in Self.lines(of: result) { StandardOutput.printLine(TerminalText.escaped(line)) }
        }
    }

    /// The result in words.
    static func lines(of result: JSONObject) -> [String] {
        let purchase = result["purchase_id"]?.stringValue ?? "?"
        let token = result["app_account_token"]?.stringValue ?? "?"
        let before = result["previous_app_account_token"]?.stringValue
        var lines = ["\(purchase): Apple has the token \(token)\(before.map { ", before \($0)" } ?? "")"]
        guard result["confirmed"] == .bool(true) else {
            return lines + [
                "  No signed transaction with the token has arrived yet, so the owner has not changed.",
                "  Repeat the command in a minute: that does no harm.",
            ]
        }
        let (owner, former) = (result["app_user_id"]?.stringValue, result["previous_app_user_id"]?.stringValue)
        if owner == former {
            lines.append("  It still belongs to \(owner ?? "no customer").")
        } else {
            lines.append("  It belongs to \(owner ?? "no customer") now, before to \(former ?? "no customer").")
        }
        if result["names_owner"] != .bool(true) {
            lines += [
                "  A submission with a secret key, a transfer, or ownership.account_token outranks the token.",
                "  To move the purchase: POST /v1/transfers.",
            ]
        }
        return lines
    }
}

/// The time limit of a call of a server that waits for Apple.
enum PurchaseCallDeadline {
    static let duration = Duration.seconds(120)
}
