public import AppStoreModel
import AppStoreSigning
public import AppStoreTestAuthorities

extension LocalAppStore {
    /// Where a store in a test sends its notifications, in name only: the test takes them itself.
    private static let inProcessURL = "https://in-process.invalid/notifications"

    /// Opens a store inside a test, with the example catalogue or your own, and nobody to pay.
    ///
    /// Give the root of the authority to what you test: it then verifies this store as it verifies Apple's.
    ///
    /// - Parameters:
    ///   - authority: Signs every payload.
    ///   - catalog: What is sold; by default the example.
    ///   - configuration: The app, the environment and the seed; by default the example app in the sandbox.
    ///   - now: The first instant, milliseconds since 1970; by default 2026-01-01T00:00:00Z.
    /// - Throws: ``CatalogError``, which the example never causes.
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

    /// Moves the clock by a span of the calendar and hands every notification to a closure at its instant.
    ///
    /// What was announced before, such as a purchase, is delivered first. A result other than `SUCCESS` counts as a
    /// failed attempt, and the next one follows by Apple's schedule.
    ///
    /// - Parameters:
    ///   - duration: ISO 8601, for example `P1M` or `PT1H`.
    ///   - deliver: Takes one notification and says how it went.
    /// - Throws: `duration_invalid`, `clock_backwards`, `signing_failed`, or what the closure throws.
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

    /// Moves the clock by a span of the calendar and hands every notification to an asynchronous closure.
    ///
    /// - Parameters:
    ///   - duration: ISO 8601, for example `P1M` or `PT1H`.
    ///   - deliver: Takes one notification and says how it went.
    /// - Throws: `duration_invalid`, `clock_backwards`, `signing_failed`, or what the closure throws.
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
            let message = "\"\(duration)\" is no ISO 8601 duration; P1M and PT1H are."
            throw StoreError(.durationInvalid, kind: .unprocessable, message: message, path: "by")
        }
        return period.added(to: now)
    }
}

extension StoreError.Code {
    /// A text is no ISO 8601 duration.
    public static let durationInvalid = Self(rawValue: "duration_invalid")
}
