import AppStoreModel
import AppStoreSigning
import ArgumentParser
import Foundation
import PerennialCommandSupport

/// The key, the time and the nonce of a signature.
struct SigningOptions: ParsableArguments {
    @OptionGroup var credentials: CredentialOptions

    @Option(help: ArgumentHelp("The nonce, a UUID (default: a new one).", valueName: "uuid"))
    var nonce: NonceArgument?

    @Option(
        help: ArgumentHelp(
            "The time of the signature: ISO 8601 or milliseconds since 1970 (default: now).",
            valueName: "time"
        )
    )
    var at: VirtualTime?

    @Flag(help: "Print one JSON object with the signature and the signed values.")
    var json = false

    /// Runs a body with the signing parameters, and reports errors as commands do.
    func run(_ body: (SigningContext) throws -> Void) throws {
        let variables = ProcessInfo.processInfo.environment
        let settings = credentials.given.withDefaults(CredentialSettings(variables: variables))
        do {
            try body(
                SigningContext(
                    credentials: settings.credentials(),
                    nonce: nonce?.nonce ?? .random(),
                    now: at?.milliseconds ?? RealTime.milliseconds()
                )
            )
        } catch let error as MissingSetting {
            throw CommandFailure.report("\(error)", status: .wrongUsage)
        } catch let error as CredentialError {
            throw CommandFailure.report("\(error)", status: .wrongConfiguration)
        } catch let error as SigningError {
            throw CommandFailure.report("\(error)", status: .failed)
        } catch let error as InputError {
            throw CommandFailure.report("\(error)", status: .failed)
        }
    }

    /// Signs claims as a JWS and prints it, with `--json` including its metadata.
    func sign(_ claims: some StoreKitRequestClaims) throws {
        try run { context in
            let jws = try context.signer.sign(claims, nonce: context.nonce, at: context.now)
            guard json else {
                print(jws)
                return
            }
            let object: JSONObject = [
                "jws": .string(jws),
                "keyId": .string(context.credentials.key.keyId),
                "issuerId": .string(context.credentials.key.issuerId),
                "bundleId": .string(context.credentials.bundleId),
                "nonce": .string(context.nonce.text),
                "issuedAt": .integer(context.now),
            ]
            print(String(decoding: object.serialize(), as: UTF8.self))
        }
    }
}

/// The signing parameters.
struct SigningContext {
    /// The key and the app.
    let credentials: APICredentials
    /// The nonce.
    let nonce: SignatureNonce
    /// Milliseconds since 1970-01-01T00:00:00Z.
    let now: Int64

    /// Signs for the app with the key.
    var signer: StoreKitRequestSigner {
        StoreKitRequestSigner(key: credentials.key, bundleId: credentials.bundleId)
    }
}

/// A nonce on the command line, a UUID.
struct NonceArgument: ExpressibleByArgument {
    /// The UUID.
    let nonce: SignatureNonce

    init?(argument: String) {
        guard let nonce = try? SignatureNonce(argument) else { return nil }
        self.nonce = nonce
    }
}

extension JSONObject {
    /// Adds a member unless it is `nil`.
    mutating func add(_ key: String, _ text: String?) {
        if let text { self[key] = .string(text) }
    }
}
