public import AppStoreModel

/// Which environment a call goes to, and whether to a second one when the first does not know what is asked for.
public enum EnvironmentChoice: Hashable, Sendable {
    /// One environment.
    case only(AppStoreEnvironment)

    /// Production, and sandbox when production does not know the transaction (4040010, 4040005).
    ///
    /// For identifiers of unknown origin: App Review and TestFlight use the released app with sandbox purchases.
    /// With `beforeRelease`, sandbox is asked also when production answers 401: that is what it answers to everything
    /// about an app that was never released. Once it is released, turn that off, so that a wrong key is seen as one.
    case productionThenSandbox(beforeRelease: Bool)

    /// Real purchases.
    public static let production = EnvironmentChoice.only(.production)

    /// Sandbox testers and TestFlight.
    public static let sandbox = EnvironmentChoice.only(.sandbox)

    /// Production, then sandbox for unknown transactions; for apps that are released.
    public static let productionThenSandbox = EnvironmentChoice.productionThenSandbox(beforeRelease: false)

    /// The environments in the order of asking.
    public var environments: [AppStoreEnvironment] {
        switch self {
        case .only(let environment): [environment]
        case .productionThenSandbox: [.production, .sandbox]
        }
    }

    /// Whether the next environment is asked after an error of the one before.
    func fallsBack(after error: AppStoreClientError) -> Bool {
        guard case .productionThenSandbox(let beforeRelease) = self else { return false }
        return error.code == .transactionNotFound || beforeRelease && error.code == .unauthorized
    }
}

extension AppStoreServerCall.Availability {
    /// Whether Apple serves the call in an environment; other environments than Apple's two are not judged.
    func includes(_ environment: AppStoreEnvironment) -> Bool {
        switch self {
        case .everywhere: true
        case .productionOnly: environment != .sandbox
        case .sandboxOnly: environment != .production
        }
    }
}
