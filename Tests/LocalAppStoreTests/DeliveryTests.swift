import AppStoreModel
import LocalAppStore
import Testing

@Suite struct `Delivery of notifications` {
    @Test func `in production an undelivered notification is tried six times, by Apple's retry schedule`() throws {
        var transcript = try failing(environment: .production)
        let start = transcript.store.now
        try transcript.advance(to: start + 30 * dayLength)
        let record = try #require(transcript.allRecords().first)
        #expect(record.attempts.map { ($0.attemptDate - start) / hourLength } == [0, 1, 13, 37, 85, 157])
        #expect(record.attempts.allSatisfy { $0.sendAttemptResult == .timedOut })
    }

    @Test func `in the sandbox a notification is tried once`() throws {
        var transcript = try failing(environment: .sandbox)
        try transcript.advance(to: transcript.store.now + 30 * dayLength)
        #expect(try transcript.allRecords().first?.attempts.count == 1)
    }

    @Test func `a notification is not sent again after a success`() throws {
        var transcript = try failing(environment: .production)
        let start = transcript.store.now
        try transcript.advance(to: start + 20 * hourLength)
        transcript.deliveryResult = .success
        try transcript.advance(to: start + 30 * dayLength)
        let attempts = try #require(transcript.allRecords().first).attempts
        #expect(attempts.map(\.sendAttemptResult) == [.timedOut, .timedOut, .timedOut, .success])
        #expect(transcript.store.nextDue(atOrBefore: .max) == nil)
    }

    @Test func `the next time is now until every due delivery is recorded`() throws {
        var transcript = try failing(environment: .production)
        let now = transcript.store.now
        #expect(transcript.store.nextDue(atOrBefore: now) == now)
        let due = transcript.store.dueDeliveries()
        #expect(due.map(\.attempt) == [1])
        #expect(due == transcript.store.dueDeliveries())
        #expect(transcript.store.nextDue(atOrBefore: now) == now)
        try transcript.store.recordAttempt(notificationUUID: due[0].notificationUUID, result: .noResponse)
        #expect(transcript.store.nextDue(atOrBefore: now) == nil)
        #expect(transcript.store.nextDue(atOrBefore: now + hourLength) == now + hourLength)
        #expect(transcript.store.dueDeliveries().isEmpty)
        expectRefusal(.notificationNotFound, .notFound) {
            try transcript.store.recordAttempt(notificationUUID: due[0].notificationUUID, result: .success)
        }
    }

    @Test func `events and retries are in order of their times`() throws {
        var transcript = try StoreTranscript.withAccount(at: try at("2026-01-15"))
        transcript.deliveryResult = .socketIssue
        try transcript.buy("pro.weekly")
        try transcript.deliver()
        let start = transcript.store.now
        let renewal = start + 7 * dayLength
        var times: [Int64] = []
        while let time = transcript.store.nextDue(atOrBefore: renewal) {
            times.append(time)
            try transcript.store.step(to: time)
            try transcript.deliver()
        }
        #expect(times == [1, 13, 37, 85, 157].map { start + $0 * hourLength } + [renewal])
    }

    @Test func `without an endpoint notifications are made and not sent`() throws {
        var transcript = try failing(environment: .production)
        try transcript.deliver()
        try transcript.store.setNotificationEndpoint(url: nil)
        #expect(transcript.store.dueDeliveries().isEmpty)
        #expect(transcript.store.nextDue(atOrBefore: .max) == nil)
        try transcript.buy("coins.100")
        try transcript.store.setNotificationEndpoint(url: "https://example.com/n")
        #expect(transcript.store.dueDeliveries().isEmpty)
        #expect(try transcript.allRecords().map(\.attempts.count) == [1, 0])
    }

    @Test(arguments: ["http://example.com", "HTTP://example.com", "Https://example.com"])
    func `the scheme of an endpoint may be in capitals`(url: String) throws {
        var transcript = try StoreTranscript(at: 0, environment: .sandbox)
        try transcript.store.setNotificationEndpoint(url: url)
        #expect(transcript.store.notificationURL == url)
    }

    @Test func `an endpoint that is not an HTTP URL is refused`() throws {
        var transcript = try StoreTranscript(at: 0)
        for url in ["", "example.com", "ftp://example.com", "/path"] {
            expectRefusal(.urlInvalid, .invalid) { try transcript.store.setNotificationEndpoint(url: url) }
        }
    }

    @Test func `a test notification has no purchase, and its token returns its status`() throws {
        var transcript = try StoreTranscript(at: try at("2026-01-15"))
        let token = try transcript.store.requestTestNotification().testNotificationToken
        #expect(throws: AppStoreServerAPIError.testNotificationNotFound) {
            try transcript.store.testNotificationStatus(token: token)
        }
        try transcript.deliver()
        let status = try transcript.store.testNotificationStatus(token: token)
        #expect(status.sendAttempts?.map(\.sendAttemptResult) == [.success])
        #expect(status.firstSendAttemptResult == .success)
        let payload: ResponseBodyV2DecodedPayload = try decoded(status.signedPayload)
        #expect(payload.notificationType == .test)
        #expect(payload.subtype == nil)
        #expect(payload.data?.json.keys == ["appAppleId", "bundleId", "environment"])
    }

    @Test func `a test without an endpoint, and an invalid token, have Apple's errors`() throws {
        var transcript = try StoreTranscript(at: 0)
        try transcript.store.setNotificationEndpoint(url: nil)
        #expect(throws: AppStoreServerAPIError.serverNotificationURLNotFound) {
            try transcript.store.requestTestNotification()
        }
        #expect(throws: AppStoreServerAPIError.invalidTestNotificationToken) {
            try transcript.store.testNotificationStatus(token: "token")
        }
        #expect(throws: AppStoreServerAPIError.testNotificationNotFound) {
            try transcript.store.testNotificationStatus(token: "0f2e6f0a-2d7e-4d0b-8a11-6a4b6a0f9c3e")
        }
    }

    @Test func `the list of notifications is paged without loss`() throws {
        var transcript = try StoreTranscript.withAccount(at: 0)
        for _ in 0..<7 { try transcript.buy("coins.100") }
        var lengths: [Int] = []
        var cursor: String?
        repeat {
            let page = try transcript.store.notifications(after: cursor, limit: 3)
            lengths.append(page.notifications.count)
            cursor = page.nextCursor
        } while cursor != nil
        #expect(lengths == [3, 3, 1])
        expectRefusal(.limitInvalid, .invalid) { try transcript.store.notifications(limit: 0) }
        for cursor in ["x", "-1", "8"] {
            expectRefusal(.cursorInvalid, .invalid) { try transcript.store.notifications(after: cursor) }
        }
    }

    /// A store with one notification to deliver, whose receiver does not answer.
    private func failing(environment: AppStoreEnvironment) throws -> StoreTranscript {
        var transcript = try StoreTranscript.withAccount(at: try at("2026-01-15"), environment: environment)
        transcript.deliveryResult = .timedOut
        try transcript.buy("coins.100")
        return transcript
    }
}
