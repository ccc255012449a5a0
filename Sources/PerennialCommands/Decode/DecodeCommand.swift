public import ArgumentParser
import AppStoreModel
import AppStoreSigning
import PerennialCommandSupport

/// `perennial decode`: the content of a signed text, without verification.
public struct DecodeCommand: ParsableCommand {
    /// The name and help of the command.
    public static let configuration = CommandConfiguration(
        commandName: "decode",
        abstract: "Show the content of a signed text; never checks the signature.",
        discussion: """
            Reads a JWS, or a JSON body with a JWS in signedPayload, signedTransactionInfo, signedRenewalInfo or \
            signedAppTransactionInfo. Anybody can create such a text: perennial verify checks whether Apple signed it.

            Example:
              perennial decode notification.json
              curl -s http://127.0.0.1:8081/_store/notifications \\
                | jq '.notifications[0]' | perennial decode - --json
            """
    )

    @Argument(help: ArgumentHelp("The signed text; - reads standard input.", valueName: "file"))
    var file: InputFile

    @Flag(help: "Print one JSON object, {header, payload}.")
    var json = false

    @Flag(help: "With --json, add the signed texts inside as nested: {path: {header, payload}}.")
    var nested = false

    /// Makes the command; the parser sets its values.
    public init() {}

    /// Decodes and prints.
    public func run() throws {
        do {
            let bytes = try file.read()
            if let absence = SignedText.absence(in: bytes) {
                throw VerificationFailure(code: .malformedJWS, message: absence)
            }
            let decoded = try DecodedText(SignedText.lenient(bytes))
            StandardError.printLine("decoded, not verified: anybody can create such a text")
            print(json ? String(decoding: decoded.json(nested: nested).serialize(), as: UTF8.self) : decoded.text)
        } catch let error as InputError {
            throw CommandFailure.report("\(error)", status: .failed)
        } catch let error as VerificationFailure {
            throw CommandFailure.report("\(error)", status: .failed)
        }
    }
}
