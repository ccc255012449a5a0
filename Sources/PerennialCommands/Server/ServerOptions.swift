import AppStoreClient
import ArgumentParser
import Foundation
import PerennialCommandSupport

/// The options of a command that asks a running server.
struct ServerOptions: ParsableArguments {
    static let defaultServer = "http://127.0.0.1:8080"

    @Option(help: ArgumentHelp("The server's address.", valueName: "url"))
    var server = Self.defaultServer

    @Option(help: ArgumentHelp("A file with the secret key; - reads standard input.", valueName: "file"))
    var keyFile: InputFile?

    /// Makes calls with the key, and reports errors as the command's.
    func withCalls(_ body: (ServerCalls) async throws -> Void) async throws {
        do {
            let url = try HTTPBaseURL(server, setting: "--server")
            let key = try Self.key(keyFile, environment: ProcessInfo.processInfo.environment)
            let transport = AsyncHTTPClientTransport()
            let outcome: Result<Void, any Error>
            do {
                try await body(ServerCalls(url: url, key: key, transport: transport))
                outcome = .success(())
            } catch {
                outcome = .failure(error)
            }
            try await transport.shutdown()
            try outcome.get()
        } catch let error as ServerCallError {
            throw CommandFailure.report("\(error)", status: .failed)
        } catch let error as InputError {
            throw CommandFailure.report("\(error)", status: .failed)
        } catch let error as CredentialError {
            throw CommandFailure.report("\(error)", status: .wrongConfiguration)
        }
    }

    /// The secret key in a file, or in the environment.
    ///
    /// - Throws: ``InputError``; ``CredentialError`` if there is none.
    static func key(_ file: InputFile?, environment: [String: String]) throws -> String {
        let variable = ["PERENNIAL_API_SECRET_KEY", "PERENNIAL_DEV_SECRET_KEY"].first { environment[$0] != nil }
        guard let text = try file?.readText() ?? variable.flatMap({ environment[$0] }) else {
            throw CredentialError(
                code: "secret_key_missing",
                message: "Give a secret key (sk_…) with --key-file or PERENNIAL_API_SECRET_KEY;"
                    + " perennial keys create creates one"
            )
        }
        // Some editors begin a file with a byte order mark.
        let key = text.trimmingCharacters(in: .whitespacesAndNewlines.union(["\u{FEFF}"]))
        guard !key.hasPrefix("pk_") else {
            throw CredentialError(
                code: "secret_key_missing",
                message: "This is a publishable key (pk_…). Give a secret key (sk_…); perennial keys create creates one"
            )
        }
        guard !key.hasPrefix("ok_"), !key.hasPrefix("os_") else {
            throw CredentialError(
                code: "secret_key_missing",
                message: "This is the key or the session of an operator (ok_…, os_…), which works over HTTP only. Give"
                    + " a secret key (sk_…); perennial keys create creates one"
            )
        }
        guard key.hasPrefix("sk_"), key.utf8.allSatisfy({ (0x21...0x7E).contains($0) }) else {
            let source = file?.name ?? variable ?? "The environment"
            throw CredentialError(
                code: "secret_key_missing",
                message: "\(source) must have one secret key (sk_…) and nothing else; perennial keys create creates one"
            )
        }
        return key
    }
}
