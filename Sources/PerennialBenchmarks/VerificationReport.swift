import AppStoreModel

/// The results of `perennial bench verify`.
struct VerificationReport {
    /// The effect of many verifications on the memory of the process.
    struct Memory {
        /// The number of verified notifications.
        let verifications: Int
        /// The peak of resident bytes before.
        let peakBytesBefore: Int64
        /// The peak of resident bytes after.
        let peakBytesAfter: Int64
    }

    /// Raw P-256 verifications of an existing digest, per second of CPU time.
    let rawPerSecond: Double
    /// Signed transactions verified and decoded, per second of CPU time.
    let transactionsPerSecond: Double
    /// Signed notifications verified and decoded with their inner payloads, per second of CPU time.
    let notificationsPerSecond: Double
    /// The same in batches.
    let batchedNotificationsPerSecond: Double
    /// The batch size.
    let batchSize: Int
    /// The rate of transactions relative to the raw rate: the median of all rounds.
    let transactionRatio: Double
    /// The same for single notifications.
    let notificationRatio: Double
    /// The same for batches of notifications.
    let batchedNotificationRatio: Double
    /// The speed of SHA-256; processors without instructions for it are several times slower.
    let hashedBytesPerSecond: Double
    /// The size of a signed transaction.
    let transactionBytes: Int
    /// The size of a signed notification.
    let notificationBytes: Int
    /// The hashed bytes of a notification, without the known header.
    let hashedNotificationBytes: Int
    /// The time of the first verification, without a cached chain, in milliseconds of CPU time.
    let firstTransactionMilliseconds: Double
    /// The throughput of two threads with notifications relative to one.
    let scaling: ParallelBenchmark.Scaling
    /// The throughput of two threads with raw checks relative to one: the limit of the machine.
    let rawScaling: ParallelBenchmark.Scaling
    /// The effect of many notifications on memory.
    let memory: Memory
    /// The number of rounds of the medians.
    let rounds: Int

    /// The ratio of single notifications if only hashing the payload and one signature check took time.
    var notificationRatioCeiling: Double {
        1 / (1 + rawPerSecond * Double(hashedNotificationBytes) / hashedBytesPerSecond)
    }

    /// One object for programs.
    var json: JSONObject {
        [
            "benchmark": .string("verify"),
            "build": .string(Self.build),
            "raw_p256_per_second": .decimal(Self.fixed(rawPerSecond, digits: 1)),
            "transactions_per_second": .decimal(Self.fixed(transactionsPerSecond, digits: 1)),
            "notifications_per_second": .decimal(Self.fixed(notificationsPerSecond, digits: 1)),
            "batched_notifications_per_second": .decimal(Self.fixed(batchedNotificationsPerSecond, digits: 1)),
            "batch_size": .integer(Int64(batchSize)),
            "transaction_ratio": .decimal(Self.fixed(transactionRatio, digits: 3)),
            "notification_ratio": .decimal(Self.fixed(notificationRatio, digits: 3)),
            "batched_notification_ratio": .decimal(Self.fixed(batchedNotificationRatio, digits: 3)),
            "notification_ratio_ceiling": .decimal(Self.fixed(notificationRatioCeiling, digits: 3)),
            "sha256_megabytes_per_second": .decimal(Self.fixed(hashedBytesPerSecond / 1e6, digits: 1)),
            "transaction_bytes": .integer(Int64(transactionBytes)),
            "notification_bytes": .integer(Int64(notificationBytes)),
            "first_transaction_milliseconds": .decimal(Self.fixed(firstTransactionMilliseconds, digits: 3)),
            "parallel_scaling": .decimal(Self.fixed(scaling.wall, digits: 2)),
            "parallel_scaling_cpu": .decimal(Self.fixed(scaling.cpu, digits: 2)),
            "raw_parallel_scaling": .decimal(Self.fixed(rawScaling.wall, digits: 2)),
            "raw_parallel_scaling_cpu": .decimal(Self.fixed(rawScaling.cpu, digits: 2)),
            "memory_verifications": .integer(Int64(memory.verifications)),
            "peak_resident_bytes_before": .integer(memory.peakBytesBefore),
            "peak_resident_bytes_after": .integer(memory.peakBytesAfter),
            "rounds": .integer(Int64(rounds)),
            "time": .string("thread_cpu"),
        ]
    }

    /// The results as a short table.
    var table: String {
        let rows = [
            ("raw P-256 verification", rawPerSecond, 1.0),
            ("transaction, \(transactionBytes) bytes", transactionsPerSecond, transactionRatio),
            ("notification, \(notificationBytes) bytes", notificationsPerSecond, notificationRatio),
            ("the same, in batches of \(batchSize)", batchedNotificationsPerSecond, batchedNotificationRatio),
        ]
        let lines = rows.map { name, perSecond, ratio in
            Self.padded(name, to: 30, atEnd: true)
                + Self.padded(Self.fixed(perSecond, digits: 0), to: 12, atEnd: false)
                + Self.padded(Self.fixed(ratio * 100, digits: 1) + " %", to: 10, atEnd: false)
        }
        let hash =
            "SHA-256: \(Self.fixed(hashedBytesPerSecond / 1e6, digits: 0)) MB/s, which limits "
            + "single notifications to \(Self.fixed(notificationRatioCeiling * 100, digits: 1)) % of raw."
        let parallel =
            "Two threads: \(Self.fixed(scaling.wall, digits: 2)) times one by wall-clock time, "
            + "\(Self.fixed(scaling.cpu, digits: 2)) by CPU time (raw checks: "
            + "\(Self.fixed(rawScaling.wall, digits: 2)) and \(Self.fixed(rawScaling.cpu, digits: 2)))."
        let growth = Double(memory.peakBytesAfter - memory.peakBytesBefore) / 1024
        let resident =
            "Memory: \(Self.fixed(Double(memory.peakBytesBefore) / 1_048_576, digits: 1)) MiB resident, "
            + "\(Self.fixed(growth, digits: 0)) KiB more after \(memory.verifications) notifications."
        let note = "Medians of \(rounds) rounds, CPU time of one thread, \(Self.build) build."
        return
            (["per second on one core                    rate    of raw"] + lines + [hash, parallel, resident, note])
            .joined(
                separator: "\n"
            )
    }

    /// The build configuration of this program.
    static var build: String {
        #if DEBUG
            "debug"
        #else
            "release"
        #endif
    }

    /// A number with a fixed count of decimals, rounded half away from zero; its digits are JSON.
    static func fixed(_ value: Double, digits: Int) -> String {
        var scale: Int64 = 1
        for _ in 0..<digits { scale *= 10 }
        let scaled = Int64((value * Double(scale)).rounded())
        guard digits > 0 else { return String(scaled) }
        let fraction = String(scaled % scale)
        return "\(scaled / scale)." + String(repeating: "0", count: digits - fraction.count) + fraction
    }

    private static func padded(_ text: String, to width: Int, atEnd: Bool) -> String {
        let space = String(repeating: " ", count: max(0, width - text.count))
        return atEnd ? text + space : space + text
    }
}
