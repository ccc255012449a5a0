import AppStoreModel

/// The renewal rate of a monthly subscription in Apple's sandbox, as selected in App Store Connect for a tester.
public enum SandboxRenewalRate: String, Hashable, Sendable, CaseIterable, Codable {
    /// A month takes three minutes.
    case threeMinutes = "three_minutes"
    /// A month takes five minutes, the default.
    case fiveMinutes = "five_minutes"
    /// A month takes fifteen minutes.
    case fifteenMinutes = "fifteen_minutes"
    /// A month takes thirty minutes.
    case thirtyMinutes = "thirty_minutes"
    /// A month takes an hour.
    case oneHour = "one_hour"
}

/// The accelerated durations of Apple's sandbox; only the profile `sandbox` uses them.
///
/// - Source: App Store Connect Help, Test in-app purchases in the sandbox, subscription renewal rates. The lengths of
///   a week at the rate of three minutes, and of trials of three days and two weeks, are published nowhere.
struct SandboxPace: Hashable, Sendable, Codable {
    /// The number of renewals after which a subscription is turned off.
    static let renewalsMax = 12

    let rate: SandboxRenewalRate

    /// A month, milliseconds.
    var month: Int64 {
        switch rate {
        case .threeMinutes: 3 * Milliseconds.minute
        case .fiveMinutes: 5 * Milliseconds.minute
        case .fifteenMinutes: 15 * Milliseconds.minute
        case .thirtyMinutes: 30 * Milliseconds.minute
        case .oneHour: Milliseconds.hour
        }
    }

    /// A week, milliseconds; it is accelerated less than a month.
    var week: Int64 {
        switch rate {
        case .threeMinutes: 2 * Milliseconds.minute
        case .fiveMinutes: 3 * Milliseconds.minute
        case .fifteenMinutes: 5 * Milliseconds.minute
        case .thirtyMinutes: 10 * Milliseconds.minute
        case .oneHour: 15 * Milliseconds.minute
        }
    }

    /// How long a failed renewal is retried, milliseconds.
    var billingRetry: Int64 { 2 * month }

    /// How long a failed month of a commitment is retried, milliseconds: 90 days where others have 60.
    var committedBillingRetry: Int64 { 3 * month }

    /// The grace period of a product, milliseconds, for any length in the settings: six sevenths of a week in whole
    /// seconds, otherwise half a month.
    func gracePeriod(for period: CalendarPeriod) -> Int64 {
        guard CalendarPeriod(iso8601: period.iso8601)?.isAtMostAWeek == true else { return month / 2 }
        return week * 6 / 7 / Milliseconds.second * Milliseconds.second
    }

    /// The extension of a renewal date by days, milliseconds: a thirtieth of a month per day.
    func extensionLength(days: Int32) -> Int64 { month / 30 * Int64(days) }

    /// The same period with its sandbox duration; it keeps its name.
    func shortened(_ period: CalendarPeriod) -> CalendarPeriod {
        guard let original = CalendarPeriod(iso8601: period.iso8601) else { return period }
        let length = Int64(original.months) * month + length(ofDays: original.days)
        return CalendarPeriod(named: period.iso8601, lasting: length)
    }

    /// Days that are not whole weeks take the duration of Apple's next longer trial.
    private func length(ofDays days: Int) -> Int64 {
        switch days {
        case ...0: 0
        case 1...3: week * 2 / 3
        case 4...7: week
        default: min(Int64((days + 6) / 7) * week, max(1, Int64((days + 15) / 30)) * month)
        }
    }
}

extension Catalog {
    /// The same products with sandbox durations, or with their own.
    func applying(_ pace: SandboxPace?) -> Catalog {
        guard pace != self.pace else { return self }
        var catalog = self
        catalog.pace = pace
        catalog.products = products.mapValues { $0.applying(pace) }
        return catalog
    }
}

extension CatalogProduct {
    fileprivate func applying(_ pace: SandboxPace?) -> CatalogProduct {
        guard var terms else { return self }
        terms.period = terms.period.applying(pace)
        terms.introductoryOffer?.apply(pace)
        for index in terms.promotionalOffers.indices { terms.promotionalOffers[index].terms.apply(pace) }
        for index in terms.codeOffers.indices { terms.codeOffers[index].terms.apply(pace) }
        for index in terms.winBackOffers.indices { terms.winBackOffers[index].terms.apply(pace) }
        var product = self
        product.kind = .autoRenewable(terms)
        return product
    }
}

extension OfferTerms {
    fileprivate mutating func apply(_ pace: SandboxPace?) { period = period.applying(pace) }
}

extension CalendarPeriod {
    /// The sandbox duration of the period, or its own.
    fileprivate func applying(_ pace: SandboxPace?) -> CalendarPeriod {
        pace?.shortened(self) ?? CalendarPeriod(iso8601: iso8601) ?? self
    }
}

extension LocalAppStore {
    /// The accelerated durations, which only the profile `sandbox` has.
    var pace: SandboxPace? {
        configuration.profile == .sandbox ? SandboxPace(rate: settings.sandboxRenewalRate) : nil
    }
}
