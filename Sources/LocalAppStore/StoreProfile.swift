public import AppStoreModel

/// A named behaviour of Apple's servers that differs from the default rules of an environment.
///
/// A store without a profile follows the rules of its environment, and its clock is stopped unless it is advanced.
public enum StoreProfile: String, Hashable, Sendable, CaseIterable, Codable {
    /// The default rules of production.
    case production
    /// The sandbox with accelerated periods: a month takes five minutes.
    case sandbox
    /// A notification that was answered with 400 is not retried.
    ///
    /// - Source: reports of developers since March 2026; Apple documents nothing.
    case noRetryAfter400 = "no-retry-after-400"
    /// Renewals happen and are announced 66 minutes after the end of the period.
    case late66Minutes = "late-66-minutes"
    /// Renewal extensions are accepted without effect, because the sandbox's accelerated days can round to zero.
    case sandboxExtensionRoundsToZero = "sandbox-extension-rounds-to-zero"
    /// Production refuses every token, as for an app that was never released.
    case neverReleasedApp = "never-released-app"

    /// The environment of the profile; `nil` if it fits both.
    public var environment: AppStoreEnvironment? {
        switch self {
        case .production, .noRetryAfter400, .neverReleasedApp: .production
        case .sandbox, .sandboxExtensionRoundsToZero: .sandbox
        case .late66Minutes: nil
        }
    }
}

extension LocalAppStore {
    /// Whether every bearer token is refused.
    public var refusesEveryToken: Bool {
        configuration.profile == .neverReleasedApp && configuration.environment == .production
    }
}
