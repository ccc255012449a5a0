public import ArgumentParser
import AppStoreModel
import AppStoreSigning
import PerennialCommandSupport

/// `perennial receipt`: whether Apple signed a receipt, and its transactions.
public struct ReceiptCommand: ParsableCommand {
    /// The name and help of the command.
    public static let configuration = CommandConfiguration(
        commandName: "receipt",
        abstract: "Tell whether Apple signed an app receipt, and which transactions are in it.",
        discussion: """
            Reads a receipt as it is in its file, in base64, or in a JSON body as receipt-data. Nothing is asked of \
            Apple: the receipt is verified down to Apple Root CA. Exit status 0 when verified, 1 when refused; what a \
            refused receipt says is shown all the same, and is not to be believed. Old transaction receipts have no \
            signature that can be checked here, but their transaction id is found.

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

    @Option(help: ArgumentHelp("The app that it must be of; any unless given.", valueName: "id"))
    var bundleId: String?

    @Option(help: "The environment that it must be from; any unless given.")
    var environment: EnvironmentArgument?

    @Option(
        help: ArgumentHelp(
            """
            When the certificates must be valid: milliseconds since 1970, or ISO 8601; unless given, when it \
            was made.
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
