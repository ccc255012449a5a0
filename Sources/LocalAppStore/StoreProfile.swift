public import AppStoreModel

/// A named behaviour of Apple's servers that differs from the plain rules of an environment.
///
/// A store without a profile plays the rules of its environment on a clock that stands still unless it is advanced.
public enum StoreProfile: String, Hashable, Sendable, CaseIterable, Codable {
    /// The plain rules of production.
    case production
    /// The sandbox with its shortened periods: a month passes in five minutes.
    case sandbox
    /// A notification that was answered with 400 is not sent again.
    ///
    /// - Source: reports of developers since March 2026; Apple documents nothing.
    case noRetryAfter400 = "no-retry-after-400"
    /// Renewals happen, and are told, 66 minutes after the period's end.
    case late66Minutes = "late-66-minutes"
    /// Extensions of a renewal date are accepted and move nothing, as the sandbox's shortened days can round to none.
    case sandboxExtensionRoundsToZero = "sandbox-extension-rounds-to-zero"
    /// Production refuses every token, as it does for an app that was never released.
    case neverReleasedApp = "never-released-app"

    /// The environment that the profile is about; `nil` when it fits both.
    public var environment: AppStoreEnvironment? {
        switch self {
        case .production, .noRetryAfter400, .neverReleasedApp: .production
        case .sandbox, .sandboxExtensionRoundsToZero: .sandbox
        case .late66Minutes: nil
        }
    }
}

extension LocalAppStore {
    /// Whether every bearer token is refused, however good.
    public var refusesEveryToken: Bool {
        configuration.profile == .neverReleasedApp && configuration.environment == .production
    }
}
