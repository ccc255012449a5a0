import AppStoreModel

/// The results of `perennial bench store`.
struct StoreBenchReport {
    /// A population without notifications.
    struct Population {
        let accounts: Int
        let months: Int
        let transactions: Int
        let subscriptions: Int
        /// By wall-clock time.
        let seconds: Double
        /// The peak of resident bytes of the process afterwards.
        let peakBytes: Int64
        /// The added resident bytes per year of a subscription.
        let bytesPerSubscriptionYear: Double
    }

    /// Opening the data file of a store with a silent population.
    struct Opening {
        let subscriptions: Int
        let transactions: Int
        /// The length of the file.
        let bytes: Int
        /// By wall-clock time; the records are decoded on all cores.
        let seconds: Double
        /// CPU time of the whole process.
        let cpuSeconds: Double
        /// The time to read the bytes of the file and nothing else; they are in the memory of the system.
        let readingSeconds: Double

        var millisecondsPerThousandSubscriptions: Double { seconds * 1e6 / Double(max(1, subscriptions)) }
        var bytesPerSecond: Double { Double(bytes) / seconds }
        var ratio: Double { seconds / readingSeconds }
    }

    /// Many simulated subscriptions with notifications delivered over HTTP.
    struct Delivery {
        let subscriptions: Int
        let notifications: Int
        let seconds: Double
        /// CPU time of the whole process, including the receiver.
        let cpuSeconds: Double
        let signing: Signing

        var perSecond: Double { Double(notifications) / seconds }
        /// Relative to the limit of three raw signatures per notification on one core.
        var ratio: Double { perSecond / signing.notificationsPerSecond }
    }

    /// The cost of signing without a store, by wall-clock time, on one thread.
    struct Signing {
        /// P-256 signatures of an existing digest, by the library that the store uses.
        let barePerSecond: Double
        /// Notifications signed by the store's own signer: three payloads encoded, hashed and signed.
        let signedPerSecond: Double

        /// The limit of three raw signatures.
        var notificationsPerSecond: Double { barePerSecond / 3 }
    }

    /// Calls of Apple's API over HTTP.
    struct Reads {
        let count: Int
        let seconds: Double
        /// CPU time of the whole process, including the client.
        let cpuSeconds: Double

        var perSecond: Double { Double(count) / seconds }
    }

    let population: Population
    let opening: Opening
    let delivery: Delivery
    let reads: Reads

    /// One object for programs.
    var json: JSONObject {
        [
            "benchmark": "store",
            "build": .string(VerificationReport.build),
            "population_accounts": .integer(Int64(population.accounts)),
            "population_months": .integer(Int64(population.months)),
            "population_transactions": .integer(Int64(population.transactions)),
            "population_subscriptions": .integer(Int64(population.subscriptions)),
            "population_seconds": .rounded(population.seconds, 2),
            "population_peak_resident_bytes": .integer(population.peakBytes),
            "bytes_per_subscription_year": .rounded(population.bytesPerSubscriptionYear, 0),
            "opened_subscriptions": .integer(Int64(opening.subscriptions)),
            "opened_transactions": .integer(Int64(opening.transactions)),
            "opened_file_bytes": .integer(Int64(opening.bytes)),
            "open_seconds": .rounded(opening.seconds, 3),
            "open_cpu_seconds": .rounded(opening.cpuSeconds, 3),
            "open_milliseconds_per_1000_subscriptions": .rounded(opening.millisecondsPerThousandSubscriptions, 2),
            "open_bytes_per_second": .rounded(opening.bytesPerSecond, 0),
            "open_ratio_to_reading_the_bytes": .rounded(opening.ratio, 1),
            "delivered_subscriptions": .integer(Int64(delivery.subscriptions)),
            "delivered_notifications": .integer(Int64(delivery.notifications)),
            "delivered_seconds": .rounded(delivery.seconds, 2),
            "delivered_per_second": .rounded(delivery.perSecond, 0),
            "delivery_cpu_microseconds_with_receiver": cpu(delivery.cpuSeconds, delivery.notifications),
            "bare_signatures_per_second": .rounded(delivery.signing.barePerSecond, 0),
            "three_bare_signatures_per_second": .rounded(delivery.signing.notificationsPerSecond, 0),
            "store_signer_notifications_per_second": .rounded(delivery.signing.signedPerSecond, 0),
            "delivery_ratio_to_three_bare_signatures": .rounded(delivery.ratio, 3),
            "reads": .integer(Int64(reads.count)),
            "reads_per_second": .rounded(reads.perSecond, 0),
            "read_cpu_microseconds_with_client": cpu(reads.cpuSeconds, reads.count),
            "time": "wall_clock",
        ]
    }

    private func cpu(_ seconds: Double, _ count: Int) -> JSONValue {
        .rounded(seconds * 1e6 / Double(max(1, count)), 1)
    }
}
