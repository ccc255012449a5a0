public import AppStoreModel

/// The environment of a call, and whether to try another one if the first does not know the requested object.
public enum EnvironmentChoice: Hashable, Sendable {
    /// One environment.
    case only(AppStoreEnvironment)

    /// Production, and then sandbox if production does not know the transaction (4040010, 4040005).
    ///
    /// For identifiers of unknown origin: App Review and TestFlight use the released app with sandbox purchases. With
    /// `beforeRelease`, the sandbox is also tried when production answers 401, which is its answer for an app that was
    /// never released. Disable it after the release, so that a wrong key is reported.
    case productionThenSandbox(beforeRelease: Bool)

    /// Real purchases.
    public static let production = EnvironmentChoice.only(.production)

    /// Sandbox testers and TestFlight.
    public static let sandbox = EnvironmentChoice.only(.sandbox)

    /// Production, then sandbox for unknown transactions; for released apps.
    public static let productionThenSandbox = EnvironmentChoice.productionThenSandbox(beforeRelease: false)

    /// The environments in the order of the attempts.
    public var environments: [AppStoreEnvironment] {
        switch self {
        case .only(let environment): [environment]
        case .productionThenSandbox: [.production, .sandbox]
        }
    }

    /// Whether the next environment is tried after an error of the previous one.
    func fallsBack(after error: AppStoreClientError) -> Bool {
        guard case .productionThenSandbox(let beforeRelease) = self else { return false }
        return error.code == .transactionNotFound || beforeRelease && error.code == .unauthorized
    }
}

extension AppStoreServerCall.Availability {
    /// Whether Apple offers the call in an environment; true for environments other than Apple's two.
    func includes(_ environment: AppStoreEnvironment) -> Bool {
        switch self {
        case .everywhere: true
        case .productionOnly: environment != .sandbox
        case .sandboxOnly: environment != .production
        }
    }
}
