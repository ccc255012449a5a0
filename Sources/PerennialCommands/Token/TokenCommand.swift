public import ArgumentParser
import AppStoreModel
import AppStoreSigning
import Foundation
import PerennialCommandSupport

/// `perennial token`: a bearer token for the App Store Server API.
public struct TokenCommand: ParsableCommand {
    /// The name and help of the command.
    public static let configuration = CommandConfiguration(
        commandName: "token",
        abstract: "Print a bearer token for the App Store Server API.",
        discussion: """
            The key is an In-App Purchase key: SubscriptionKey_….p8 from App Store Connect, Users and Access, \
            Integrations, In-App Purchase. An App Store Connect API key (AuthKey_….p8) has the same format, but the \
            App Store answers its tokens with 401. Options that are not given come from PERENNIAL_API_KEY_FILE, \
            PERENNIAL_API_KEY_ID, PERENNIAL_API_ISSUER_ID and PERENNIAL_API_BUNDLE_ID.

            Example:
              perennial token --key SubscriptionKey_ABC123DEFG.p8 \\
                --key-id ABC123DEFG --bundle-id com.example.app \\
                --issuer-id 57246542-96fe-1a63-e053-0824d011072a
            """
    )

    @OptionGroup var credentials: CredentialOptions

    @Option(
        help: ArgumentHelp(
            "The lifetime of the token: 1 to 3600, the App Store's limit.",
            valueName: "seconds"
        )
    )
    var lifetime: Int64 = 300

    @Flag(help: "Print one JSON object, {token, keyId, issuerId, bundleId, issuedAt, expiresAt}.")
    var json = false

    /// Makes the command; the parser sets its values.
    public init() {}

    /// Refuses a lifetime that the App Store refuses.
    public func validate() throws {
        guard (1...BearerToken.lifetimeMax).contains(lifetime) else {
            throw ValidationError(
                """
                --lifetime must be from 1 to \(BearerToken.lifetimeMax) seconds: the App Store answers longer ones \
                with 401.
                """
            )
        }
    }

    /// Creates the token and prints it.
    public func run() throws {
        let variables = ProcessInfo.processInfo.environment
        let settings = credentials.given.withDefaults(CredentialSettings(variables: variables))
        do {
            let credentials = try settings.credentials()
            let issuedAt = RealTime.milliseconds() / 1000
            let token = try BearerToken.make(
                key: credentials.key,
                bundleId: credentials.bundleId,
                issuedAt: issuedAt,
                lifetime: lifetime
            )
            print(json ? answer(token, credentials, issuedAt: issuedAt) : token)
        } catch let error as MissingSetting {
            throw CommandFailure.report("\(error)", status: .wrongUsage)
        } catch let error as CredentialError {
            throw CommandFailure.report("\(error)", status: .wrongConfiguration)
        } catch let error as SigningError {
            throw CommandFailure.report("\(error)", status: .failed)
        }
    }

    private func answer(_ token: String, _ credentials: APICredentials, issuedAt: Int64) -> String {
        let object: JSONObject = [
            "token": .string(token),
            "keyId": .string(credentials.key.keyId),
            "issuerId": .string(credentials.key.issuerId),
            "bundleId": .string(credentials.bundleId),
            "issuedAt": .integer(issuedAt * 1000),
            "expiresAt": .integer((issuedAt + lifetime) * 1000),
        ]
        return String(decoding: object.serialize(), as: UTF8.self)
    }
}
