import PerennialPrimitives

/// A synthetic customer between two decisions.
struct SyntheticShopper: Hashable, Sendable, Codable {
    /// The next decision.
    enum Step: Hashable, Sendable, Codable {
        /// Creates an account and buys.
        case arrive
        /// In the middle of a period: stays, leaves, requests a refund, or lets the card expire.
        case consider
        /// Enters a valid card.
        case payAgain
        /// Buys again after leaving.
        case comeBack
    }

    /// Its own random generator, so that customers are independent.
    var generator: SplitMix64
    let behaviour: PopulationBehaviour
    /// The end of its decisions.
    let until: Int64
    var step = Step.arrive
    var account: LedgerIndex<Account>?
    var subscription: LedgerIndex<Subscription>?
    /// The number of paid periods in the current run.
    var renewals = 0

    /// The time of a decision within a period.
    mutating func moment(in period: Range<Int64>) -> Int64 {
        let length = period.upperBound - period.lowerBound
        return generator.integer(from: period.lowerBound + length / 10, to: period.upperBound - length / 20)
    }

    /// How long a charge keeps failing: more than half succeed within three days, nearly all within three weeks.
    mutating func delayOfPayment() -> Int64 {
        let draw = generator.unit()
        let days: Range<Int64> = draw < 0.55 ? 0..<3 : draw < 0.8 ? 3..<7 : draw < 0.95 ? 7..<21 : 21..<59
        return generator.integer(
            from: days.lowerBound * Milliseconds.day + Milliseconds.hour,
            to: days.upperBound * Milliseconds.day
        )
    }

    /// How long a returning customer was away.
    mutating func absence() -> Int64 {
        let days: Range<Int64> = generator.happens(0.4) ? 1..<30 : 30..<180
        return generator.integer(from: days.lowerBound * Milliseconds.day, to: days.upperBound * Milliseconds.day)
    }
}

extension SyntheticShopper {
    /// The customer with a number in a population.
    init(_ request: PopulationRequest, number: Int, until: Int64) {
        var seeds = SplitMix64(seed: request.seed &+ UInt64(number) &* 0xd134_2543_de82_ef95)
        self.init(generator: SplitMix64(seed: seeds.next()), behaviour: request.behaviour, until: until)
    }
}

extension PopulationBehaviour {
    /// All probabilities by the name of their field.
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
