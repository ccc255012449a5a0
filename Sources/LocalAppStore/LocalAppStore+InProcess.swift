public import AppStoreModel
import AppStoreSigning
public import AppStoreTestAuthorities

extension LocalAppStore {
    /// A placeholder URL for notifications that the test itself receives.
    private static let inProcessURL = "https://in-process.invalid/notifications"

    /// Creates a store inside a test, with the example catalogue or your own.
    ///
    /// Give the root certificate of the authority to the code under test: it then verifies this store in the same way
    /// as Apple's.
    ///
    /// - Parameters:
    ///   - authority: Signs every payload.
    ///   - catalog: The products; the default is the example.
    ///   - configuration: The app, the environment and the seed; the default is the example app in the sandbox.
    ///   - now: The start time, milliseconds since 1970; the default is 2026-01-01T00:00:00Z.
    /// - Throws: ``CatalogError``, but never for the example.
    public init(
        authority: TestAuthority,
        catalog: Catalog? = nil,
        configuration: Configuration = Configuration(),
        now: Int64 = 1_767_225_600_000
    ) throws(CatalogError) {
        let sold = if let catalog { catalog } else { try Catalog.example() }
        self.init(configuration: configuration, catalog: sold, signer: authority.signer, now: now)
        notificationURL = Self.inProcessURL
    }

    /// Advances the clock by a calendar duration and passes every notification to a closure at its time.
    ///
    /// Earlier announcements, for example of a purchase, are delivered first. A result other than `SUCCESS` is a failed
    /// attempt, which Apple's schedule retries.
    ///
    /// - Parameters:
    ///   - duration: ISO 8601, for example `P1M` or `PT1H`.
    ///   - deliver: Receives one notification and returns the result.
    /// - Throws: `duration_invalid`, `clock_backwards`, `signing_failed`, or the error of the closure.
    public mutating func advance(
        by duration: String,
        deliver: (Delivery) throws -> SendAttemptResult
    ) throws {
        let end = try endTime(after: duration)
        try deliverDue(deliver)
        while let time = nextDue(atOrBefore: end) {
            try step(to: time)
            try deliverDue(deliver)
        }
        try step(to: end)
    }

    /// Advances the clock by a calendar duration and passes every notification to an asynchronous closure.
    ///
    /// - Parameters:
    ///   - duration: ISO 8601, for example `P1M` or `PT1H`.
    ///   - deliver: Receives one notification and returns the result.
    /// - Throws: `duration_invalid`, `clock_backwards`, `signing_failed`, or the error of the closure.
    public mutating func advance(
        by duration: String,
        deliver: (Delivery) async throws -> SendAttemptResult
    ) async throws {
        let end = try endTime(after: duration)
        try await deliverDue(deliver)
        while let time = nextDue(atOrBefore: end) {
            try step(to: time)
            try await deliverDue(deliver)
        }
        try step(to: end)
    }

    private mutating func deliverDue(_ deliver: (Delivery) throws -> SendAttemptResult) throws {
        while case let due = dueDeliveries(), !due.isEmpty {
            for delivery in due {
                try recordAttempt(notificationUUID: delivery.notificationUUID, result: deliver(delivery))
            }
        }
    }

    private mutating func deliverDue(_ deliver: (Delivery) async throws -> SendAttemptResult) async throws {
        while case let due = dueDeliveries(), !due.isEmpty {
            for delivery in due {
                let result = try await deliver(delivery)
                try recordAttempt(notificationUUID: delivery.notificationUUID, result: result)
            }
        }
    }

    private func endTime(after duration: String) throws(StoreError) -> Int64 {
        guard let period = CalendarPeriod(iso8601: duration) else {
            let message =
                "\"\(duration)\" is no ISO 8601 duration with whole numbers up to \(CalendarPeriod.numberMax); P1M and"
                + " PT1H are."
            throw StoreError(.durationInvalid, message, path: "by")
        }
        return period.added(to: now)
    }
}

extension StoreError.Code {
    /// The error for a text that is not an ISO 8601 duration.
    public static let durationInvalid = Self("duration_invalid", .unprocessable)
}
