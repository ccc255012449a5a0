import AppStoreModel
import SubscriptionCore
import Testing

@testable import SubscriptionOperations

@Suite struct `A failed delivery in Apple's history` {
    /// Apple repeats a notification five times: 1, 12, 24, 48 and 72 hours after one another.
    @Test(
        arguments: [
            (1, 0, .production, true), (5, 157 * 3_600_000, .production, true),
            (5, 157 * 3_600_000 + 1, .production, false), (6, 0, .production, false), (0, 0, .production, false),
            (1, 0, .sandbox, false),
        ] as [(Int, Int64, StoreEnvironment, Bool)]
    )
    func `counts as one in retry while Apple repeats it`(
        attempts: Int,
        age: Int64,
        environment: StoreEnvironment,
        isRetried: Bool
    ) {
        let now = Timestamp(milliseconds: ServerFixture.now)
        let first = now.milliseconds - age
        func item(_ last: SendAttemptResult) -> NotificationHistoryResponseItem {
            var items = (0..<attempts).map {
                SendAttemptItem(attemptDate: first + Int64($0), sendAttemptResult: .timedOut)
            }
            if !items.isEmpty { items[items.count - 1].sendAttemptResult = last }
            return NotificationHistoryResponseItem(signedPayload: "", sendAttempts: items)
        }
        #expect(item(.timedOut).isRetried(in: environment, at: now) == isRetried)
        #expect(item(.noResponse).isRetried(in: environment, at: now) == isRetried)
        #expect(!item(.success).isRetried(in: environment, at: now))
        #expect(!NotificationHistoryResponseItem(signedPayload: "").isRetried(in: environment, at: now))
    }
}
