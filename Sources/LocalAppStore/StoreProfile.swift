public import AppStoreModel

/// A named behaviour of Apple's servers that differs from the default rules of an environment.
///
/// A store without a profile follows the rules of its environment, and its clock is stopped unless it is advanced.
public enum StoreProfile: String, Hashable, Sendable, CaseIterable, Codable {
    /// The rules of production, with renewals a day before the end of a period.
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

extension StoreProfile {
    /// How long before the end of a period a renewal is charged by default, milliseconds.
    ///
    /// Apple charges within the last 24 hours and publishes no exact time.
    fileprivate var renewalLeadMilliseconds: Int64 {
        switch self {
        case .production: Milliseconds.day
        case .sandbox, .noRetryAfter400, .late66Minutes, .sandboxExtensionRoundsToZero, .neverReleasedApp: 0
        }
    }
}

extension LocalAppStore {
    /// How long before the end of a period its renewal is charged, by the settings or else by the profile.
    ///
    /// - Units: milliseconds.
    public var renewalLeadMilliseconds: Int64 {
        settings.renewalLeadMilliseconds ?? configuration.profile?.renewalLeadMilliseconds ?? 0
    }

    /// Whether every bearer token is refused.
    public var refusesEveryToken: Bool {
        configuration.profile == .neverReleasedApp && configuration.environment == .production
    }
}
