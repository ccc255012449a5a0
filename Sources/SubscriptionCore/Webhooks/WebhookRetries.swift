/// When a webhook that was not delivered is sent again.
///
/// - Source: The example schedule of the Standard Webhooks specification 1.0.0.
public enum WebhookRetries {
    /// The waits before the second and each further attempt, in milliseconds: ten attempts over 75 hours.
    private static let waits: [Int64] = [
        5_000, 300_000, 1_800_000, 7_200_000, 18_000_000, 36_000_000, 50_400_000, 72_000_000, 86_400_000,
    ]
    /// The longest wait, also if the receiver asks for a longer one, in milliseconds.
    public static let waitMax: Int64 = 86_400_000
    /// The largest deviation from a wait.
    public static let jitter = 0.1

    /// The wait before the next attempt, in milliseconds.
    ///
    /// - Parameters:
    ///   - attempts: The number of attempts so far, at least 1.
    ///   - retryAfter: The wait in the receiver's `Retry-After`, in milliseconds; it can only make the wait longer.
    ///   - chance: A random number from 0 to 1, for the jitter.
    /// - Returns: Nil after the last attempt.
    public static func wait(after attempts: Int, retryAfter: Int64? = nil, chance: Double) -> Int64? {
        guard waits.indices.contains(attempts - 1) else { return nil }
        let wait = jittered(waits[attempts - 1], chance: chance)
        return max(wait, min(retryAfter ?? 0, waitMax))
    }

    static func jittered(_ wait: Int64, chance: Double) -> Int64 {
        Int64(Double(wait) * (1 - jitter + 2 * jitter * chance))
    }
}
