public import ArgumentParser
import AppStoreModel
import AppStoreSigning
import PerennialCommandSupport

/// `perennial verify`: whether Apple signed a text for this app and environment.
public struct VerifyCommand: ParsableCommand {
    /// The name and help of the command.
    public static let configuration = CommandConfiguration(
        commandName: "verify",
        abstract: "Tell whether Apple signed a text, for this app and environment.",
        discussion: """
            Reads a JWS exactly as signed (one line break at the end of the file is left out), or the JSON body that \
            carries it. The kind is guessed from the text unless --kind says it. Exit status 0 when verified, 1 when \
            refused, with the reason.

            Example:
              perennial verify transaction.jws \\
                --bundle-id com.example.app --environment production
              perennial verify notification.json --explain --root store-root.pem \\
                --bundle-id com.example.app --environment sandbox
            """
    )

    @Argument(help: ArgumentHelp("The signed text; - reads standard input.", valueName: "file"))
    var file: InputFile

    @Option(help: ArgumentHelp("The app that it must be about.", valueName: "id"))
    var bundleId: String

    @Option(help: "The environment that it must be from.")
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

    @Option(help: "What the text must be; guessed unless given.")
    var kind: SignedDataKind?

    @Option(
        help: ArgumentHelp(
            """
            When the certificates must be valid: milliseconds since 1970, or ISO 8601; unless given, when it \
            was signed.
            """,
            valueName: "time"
        )
    )
    var at: VirtualTime?

    @Flag(help: "Say how the decision was made, check by check; with --json as steps.")
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
