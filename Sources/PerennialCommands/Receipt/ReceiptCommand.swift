public import ArgumentParser
import AppStoreModel
import AppStoreSigning
import PerennialCommandSupport

/// `perennial receipt`: whether Apple signed a receipt, and its transactions.
public struct ReceiptCommand: ParsableCommand {
    /// The name and help of the command.
    public static let configuration = CommandConfiguration(
        commandName: "receipt",
        abstract: "Check whether Apple signed an app receipt, and print its transactions.",
        discussion: """
            Reads a receipt file, base64, or a JSON body with receipt-data. The command does not contact Apple; it \
            verifies the receipt up to Apple Root CA. The exit status is 0 if the receipt is verified, 1 if it is \
            refused. The content of a refused receipt is printed too; do not trust it. Old transaction receipts \
            cannot be verified here, but their transaction id is found.

            Example:
              perennial receipt receipt.b64 --bundle-id com.example.app
              perennial receipt receipt.b64 --json | jq .transactionIds
            """
    )

    @Argument(help: ArgumentHelp("The receipt; - reads standard input.", valueName: "file"))
    var file: InputFile

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

    @Option(
        help: ArgumentHelp(
            """
            The time at which the certificates must be valid: ISO 8601 or milliseconds since 1970 (default: when \
            the receipt was created).
            """,
            valueName: "time"
        )
    )
    var at: VirtualTime?

    @Flag(
        help: ArgumentHelp(
            "Print one JSON object, {verified, reason?, message?, bundleId, environment, transactionIds, absence?, "
                + "unreadablePurchases?}."
        )
    )
    var json = false

    /// Makes the command; the parser sets its values.
    public init() {}

    /// Verifies, prints the result, and ends with its status.
    public func run() throws {
        let verifier = ReceiptVerifier(
            roots: try RootOption.roots(root, default: .appleRootCA) { der throws(SigningError) in
                try ReceiptRoot(der: der)
            },
            expecting: ReceiptExpectation(bundleId: bundleId, environment: environment?.environment),
            validity: at.map { .at($0.milliseconds) } ?? .whenSigned
        )
        let report: ReceiptReport
        do {
            report = ReceiptReport(ReceiptInput(try file.read()), verifier: verifier)
        } catch {
            throw CommandFailure.report("\(error)", status: .failed)
        }
        print(json ? String(decoding: report.json.serialize(), as: UTF8.self) : report.text)
        guard report.failure == nil else { throw ExitCode(CommandFailure.Status.failed.rawValue) }
    }
}
