/// A synthetic customer between two decisions.
struct SyntheticShopper: Hashable, Sendable, Codable {
    /// What is decided next.
    enum Step: Hashable, Sendable, Codable {
        /// Opens an account and buys.
        case arrive
        /// In the middle of a period: stay, leave, ask for the money back, or let the card expire.
        case consider
        /// Brings a card that works.
        case payAgain
        /// Buys again after having left.
        case comeBack
    }

    /// Its own source of choices, so that customers do not depend on each other.
    var generator: SplitMix64
    let behaviour: PopulationBehaviour
    /// After it, no more decisions.
    let until: Int64
    var step = Step.arrive
    var account: LedgerIndex<Account>?
    var subscription: LedgerIndex<Subscription>?
    /// Periods paid so far in the running stretch.
    var renewals = 0

    /// The instant of a decision within a period.
    mutating func moment(in period: Range<Int64>) -> Int64 {
        let length = period.upperBound - period.lowerBound
        return generator.instant(from: period.lowerBound + length / 10, to: period.upperBound - length / 20)
    }

    /// How long a failed charge stays failed: more than half succeed within three days, nearly all within three weeks.
    mutating func delayOfPayment() -> Int64 {
        let draw = generator.unit()
        let days: Range<Int64> = draw < 0.55 ? 0..<3 : draw < 0.8 ? 3..<7 : draw < 0.95 ? 7..<21 : 21..<59
        return generator.instant(from: days.lowerBound * Instant.day + Instant.hour, to: days.upperBound * Instant.day)
    }

    /// How long a customer who comes back was away.
    mutating func absence() -> Int64 {
        let days: Range<Int64> = generator.happens(0.4) ? 1..<30 : 30..<180
        return generator.instant(from: days.lowerBound * Instant.day, to: days.upperBound * Instant.day)
    }
}

extension SyntheticShopper {
    /// The customer of a population with a number.
    init(_ request: PopulationRequest, number: Int, until: Int64) {
        var seeds = SplitMix64(state: request.seed &+ UInt64(number) &* 0xd134_2543_de82_ef95)
        self.init(generator: SplitMix64(state: seeds.next()), behaviour: request.behaviour, until: until)
    }
}

extension PopulationBehaviour {
    /// Every share by the name of its field.
    var shares: [(name: String, share: Double)] {
        [
            ("oneTimePurchases", oneTimePurchases), ("trialConversion", trialConversion),
            ("upgrades", upgrades), ("downgrades", downgrades), ("crossgrades", crossgrades), ("families", families),
            ("familyDepartures", familyDepartures), ("billingFailures", billingFailures), ("recoveries", recoveries),
            ("refunds", refunds),
            ("resubscriptions", resubscriptions), ("churn.weekly", churn.weekly), ("churn.monthly", churn.monthly),
            ("churn.yearly", churn.yearly), ("churn.decay", churn.decay), ("churn.floor", churn.floor),
        ]
    }
}
