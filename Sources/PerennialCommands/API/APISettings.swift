import AppStoreClient
import AppStoreModel
import AppStoreSigning

/// The credentials and the server of calls, as far as they are set.
struct APISettings: Hashable {
    /// A server other than Apple's.
    enum Target: Hashable {
        /// A local store, which provides credentials and has its own clock.
        case store(HTTPBaseURL)
        /// Any server.
        case server(HTTPBaseURL)
    }

    /// The key and the app.
    var credentials = CredentialSettings()
    /// Apple's environment.
    var environment: EnvironmentChoice?
    /// The server; Apple's if not set.
    var target: Target?

    /// These settings, with others as defaults.
    func withDefaults(_ other: APISettings) -> APISettings {
        APISettings(
            credentials: credentials.withDefaults(other.credentials),
            environment: environment ?? other.environment,
            target: target ?? other.target
        )
    }

    /// The calls of the app.
    ///
    /// - Parameter transport: Sends the requests; its owner shuts it down.
    /// - Throws: ``MissingSetting`` and ``CredentialError`` for credentials, ``LocalStoreError`` for the store.
    func app(transport: any HTTPTransport) async throws -> AppStoreServerAPIClient.App {
        switch target {
        case .store(let url):
            return try await app(of: LocalStore(url: url, transport: transport), transport)
        case .server(let url):
            var configuration = AppStoreServerAPIClient.Configuration(hosts: AppStoreHosts(everywhere: url.text))
            configuration.checksAvailability = false
            return try app(transport, configuration)
        case nil:
            return try app(transport, AppStoreServerAPIClient.Configuration())
        }
    }

    private func app(
        _ transport: any HTTPTransport,
        _ configuration: AppStoreServerAPIClient.Configuration
    ) throws -> AppStoreServerAPIClient.App {
        let credentials = try credentials.credentials()
        let client = AppStoreServerAPIClient(
            key: credentials.key,
            transport: transport,
            configuration: configuration
        )
        return client.app(credentials.bundleId, in: environment ?? .sandbox)
    }

    /// The store provides credentials and its time, because it checks tokens by its own clock.
    private func app(
        of store: LocalStore,
        _ transport: any HTTPTransport
    ) async throws -> AppStoreServerAPIClient.App {
        let offered = try await store.credentials()
        let key: InAppPurchaseKey
        if let file = credentials.keyFile {
            key = try KeyFile.read(
                file,
                keyId: credentials.keyId ?? offered.keyId,
                issuerId: credentials.issuerId ?? offered.issuerId
            )
        } else {
            key = try offered.key(keyId: credentials.keyId, issuerId: credentials.issuerId)
        }
        let client = AppStoreServerAPIClient(
            transport: transport,
            tokens: CachedBearerTokens(key: key),
            configuration: AppStoreServerAPIClient.Configuration(
                hosts: AppStoreHosts(everywhere: store.url.text),
                rateLimiting: .off,
                checksAvailability: false
            ),
            clock: StoreClock(now: try await store.now())
        )
        return client.app(credentials.bundleId ?? offered.bundleId, in: environment ?? .only(offered.environment))
    }
}

extension APISettings {
    /// The settings from environment variables.
    ///
    /// - Throws: ``CredentialError`` for an invalid value.
    init(variables: [String: String]) throws(CredentialError) {
        self.init(credentials: CredentialSettings(variables: variables))
        if let (text, name) = Self.set("PERENNIAL_API_ENVIRONMENT", in: variables) {
            environment = try Self.choice(text, setting: name)
        }
        if let (text, name) = Self.set("PERENNIAL_API_BASE_URL", in: variables) {
            target = .server(try HTTPBaseURL(text, setting: name))
        }
    }

    /// The value and name of a variable; `nil` if it is not set, or empty.
    private static func set(_ name: String, in variables: [String: String]) -> (text: String, name: String)? {
        variables[name].flatMap { $0.isEmpty ? nil : ($0, name) }
    }

    /// An environment from a variable or a file.
    ///
    /// - Throws: `environment_unknown`.
    static func choice(_ text: String, setting: String) throws(CredentialError) -> EnvironmentChoice {
        guard let argument = EnvironmentChoiceArgument(argument: text) else {
            let names = EnvironmentChoiceArgument.allValueStrings.joined(separator: ", ")
            throw CredentialError(code: "environment_unknown", message: "\(setting) must be one of \(names)")
        }
        return argument.choice
    }
}
