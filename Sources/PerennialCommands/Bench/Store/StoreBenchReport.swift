import AppStoreModel

/// What `perennial bench store` found out.
struct StoreBenchReport {
    /// A silent population.
    struct Population {
        let accounts: Int
        let months: Int
        let transactions: Int
        let subscriptions: Int
        /// By the clock on the wall.
        let seconds: Double
        /// The most resident bytes of the process afterwards.
        let peakBytes: Int64
        /// The resident bytes that it added, for each year of a subscription.
        let bytesPerSubscriptionYear: Double
    }

    /// Many subscriptions played with their notifications delivered over HTTP.
    struct Delivery {
        let subscriptions: Int
        let notifications: Int
        let seconds: Double
        /// Three signatures, as a notification has them, per second of the clock on one core.
        let signingAlonePerSecond: Double

        var perSecond: Double { Double(notifications) / seconds }
        var ratio: Double { perSecond / signingAlonePerSecond }
    }

    /// Calls of Apple's API over HTTP.
    struct Reads {
        let count: Int
        let seconds: Double
        /// CPU time of the whole process, which is the client too.
        let cpuSeconds: Double

        var perSecond: Double { Double(count) / seconds }
    }

    let population: Population
    let delivery: Delivery
    let reads: Reads

    /// One object for machines.
    var json: JSONObject {
        [
            "benchmark": "store",
            "build": .string(VerificationReport.build),
            "population_accounts": .integer(Int64(population.accounts)),
            "population_months": .integer(Int64(population.months)),
            "population_transactions": .integer(Int64(population.transactions)),
            "population_subscriptions": .integer(Int64(population.subscriptions)),
            "population_seconds": decimal(population.seconds, 2),
            "population_peak_resident_bytes": .integer(population.peakBytes),
            "bytes_per_subscription_year": decimal(population.bytesPerSubscriptionYear, 0),
            "delivered_subscriptions": .integer(Int64(delivery.subscriptions)),
            "delivered_notifications": .integer(Int64(delivery.notifications)),
            "delivered_seconds": decimal(delivery.seconds, 2),
            "delivered_per_second": decimal(delivery.perSecond, 0),
            "signing_alone_per_second": decimal(delivery.signingAlonePerSecond, 0),
            "delivery_ratio": decimal(delivery.ratio, 3),
            "reads": .integer(Int64(reads.count)),
            "reads_per_second": decimal(reads.perSecond, 0),
            "read_cpu_microseconds_with_client": decimal(reads.cpuSeconds * 1e6 / Double(reads.count), 1),
            "time": "wall_clock",
        ]
    }

    private func decimal(_ value: Double, _ digits: Int) -> JSONValue {
        .decimal(VerificationReport.fixed(value, digits: digits))
    }
}
