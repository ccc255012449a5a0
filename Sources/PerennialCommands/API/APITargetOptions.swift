import AppStoreClient
import ArgumentParser
import Foundation
import SubscriptionServer

/// The target of calls: Apple in an environment, a local store, or any base URL.
struct APITargetOptions: ParsableArguments {
    @Option(help: "Apple's environment (default: sandbox).")
    var environment: EnvironmentChoiceArgument?

    @Option(help: ArgumentHelp("A local store; it provides the credentials and the clock.", valueName: "url"))
    var store: String?

    @Option(help: ArgumentHelp("A server other than Apple's.", valueName: "url"))
    var baseUrl: String?

    @Option(
        help: ArgumentHelp(
            "A file with settings in its section api (default: perennial.yaml in the working directory).",
            valueName: "file"
        )
    )
    var config: InputFile?

    @Option(help: ArgumentHelp("The time limit of a call, with its waits and retries.", valueName: "seconds"))
    var deadline: Int = 60

    func validate() throws {
        guard store == nil || baseUrl == nil else { throw ValidationError("Give --store or --base-url, not both.") }
        guard (1...3600).contains(deadline) else { throw ValidationError("--deadline must be from 1 to 3600 seconds.") }
    }

    /// The settings: from options, otherwise from the environment, otherwise from the file.
    ///
    /// A local store's own credentials have priority over those of the environment and the file, which belong to
    /// another server.
    ///
    /// - Parameters:
    ///   - credentials: The credentials from options.
    ///   - environment: The environment variables of the process.
    /// - Throws: ``CredentialError`` for an invalid value or file.
    func settings(
        credentials: CredentialOptions,
        environment variables: [String: String]
    ) throws(CredentialError) -> APISettings {
        var given = APISettings(credentials: credentials.given, environment: environment?.choice)
        if let store {
            given.target = .store(try HTTPBaseURL(store, setting: "--store"))
            return given
        }
        var variables = variables
        if let baseUrl {
            given.target = .server(try HTTPBaseURL(baseUrl, setting: "--base-url"))
            variables["PERENNIAL_API_BASE_URL"] = nil
        }
        if environment != nil { variables["PERENNIAL_API_ENVIRONMENT"] = nil }
        given = given.withDefaults(try APISettings(variables: variables))
        let named = config ?? variables[EffectiveConfiguration.fileVariable].flatMap(InputFile.init(argument:))
        let usual = EffectiveConfiguration.usualFile
        if let file = named ?? (FileManager.default.fileExists(atPath: usual) ? InputFile(path: usual) : nil) {
            given = given.withDefaults(try APIConfigurationFile.settings(in: file))
        }
        return given
    }
}

/// `sandbox`, `production`, or one after the other; before an app's first release also after a 401 of production.
struct EnvironmentChoiceArgument: ExpressibleByArgument, Hashable {
    private static let names: [(name: String, choice: EnvironmentChoice)] = [
        ("sandbox", .sandbox),
        ("production", .production),
        ("production-then-sandbox", .productionThenSandbox),
        ("production-then-sandbox-before-release", .productionThenSandbox(beforeRelease: true)),
    ]

    static var allValueStrings: [String] { names.map(\.name) }

    /// The target of calls.
    let choice: EnvironmentChoice

    init?(argument: String) {
        guard let found = Self.names.first(where: { $0.name == argument.lowercased() }) else { return nil }
        choice = found.choice
    }
}
