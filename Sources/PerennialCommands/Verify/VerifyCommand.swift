public import ArgumentParser
import AppStoreModel
import AppStoreSigning
import PerennialCommandSupport

/// `perennial verify`: whether Apple signed a text for this app and environment.
public struct VerifyCommand: ParsableCommand {
    /// The name and help of the command.
    public static let configuration = CommandConfiguration(
        commandName: "verify",
        abstract: "Check whether Apple signed a text for this app and environment.",
        discussion: """
            Reads a JWS exactly as it was signed (one line break at the end of the file is ignored), or a JSON body \
            that contains it. Without --kind, the kind is guessed from the payload. The exit status is 0 if the text \
            is verified, 1 if it is refused; the reason is printed.

            Example:
              perennial verify transaction.jws \\
                --bundle-id com.example.app --environment production
              perennial verify notification.json --explain --root store-root.pem \\
                --bundle-id com.example.app --environment sandbox
            """
    )

    @Argument(help: ArgumentHelp("The signed text; - reads standard input.", valueName: "file"))
    var file: InputFile

    @Option(help: ArgumentHelp("The expected app.", valueName: "id"))
    var bundleId: String

    @Option(help: "The expected environment.")
    var environment: EnvironmentArgument

    @Option(
        help: ArgumentHelp(
            "A root certificate to trust instead of Apple Root CA - G3, in PEM or DER; repeatable.",
            valueName: "file"
        )
    )
    var root: [InputFile] = []

    @Option(help: ArgumentHelp("The app's number in the App Store; production notifications need it.", valueName: "n"))
    var appAppleId: Int64?

    @Option(help: "The expected kind (default: guessed from the payload).")
    var kind: SignedDataKind?

    @Option(
        help: ArgumentHelp(
            """
            The time at which the certificates must be valid: ISO 8601 or milliseconds since 1970 (default: when \
            the text was signed).
            """,
            valueName: "time"
        )
    )
    var at: VirtualTime?

    @Flag(help: "Print every check with its outcome; with --json, as steps.")
    var explain = false

    @Flag(help: "Print one JSON object, {verified, kind, reason?, message?, payload?}.")
    var json = false

    /// Makes the command; the parser sets its values.
    public init() {}

    /// Verifies, prints the result, and ends with its status.
    public func run() throws {
        let verdict = try verdict()
        print(json ? String(decoding: verdict.json.serialize(), as: UTF8.self) : verdict.text)
        guard verdict.failure == nil else { throw ExitCode(CommandFailure.Status.failed.rawValue) }
    }

    private func verdict() throws -> SignedTextVerdict {
        let roots = try RootOption.roots(root, default: .appleRootCAG3) { der throws(SigningError) in
            try TrustedRoot(der: der)
        }
        do {
            let app = AppIdentity(bundleId: bundleId, appAppleId: appAppleId, environment: environment.environment)
            let bytes = SignedText.exact(try file.read())
            let verifier = SignedDataVerifier(
                roots: roots,
                expecting: app,
                chainValidity: at.map { .at($0.milliseconds) } ?? .whenSigned
            )
            return SignedTextVerdict(bytes, kind: kind, verifier: verifier, explains: explain)
        } catch {
            throw CommandFailure.report("\(error)", status: .failed)
        }
    }
}

extension SignedDataKind: ExpressibleByArgument {}
