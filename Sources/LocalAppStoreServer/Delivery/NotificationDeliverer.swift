import AppStoreModel
import LocalAppStore

/// Sends one notification to the developer's server, once.
protocol NotificationDeliverer: Sendable {
    /// Posts a notification's body and says how it went.
    ///
    /// - Parameter delivery: The notification, and where it goes.
    /// - Throws: `CancellationError` when the store stops meanwhile; nothing is known about the attempt then.
    @concurrent func deliver(_ delivery: Delivery) async throws(CancellationError) -> DeliveryAnswer
}

/// How an attempt to deliver went.
struct DeliveryAnswer: Hashable, Sendable {
    /// In Apple's words.
    let result: SendAttemptResult
    /// The status of the answer, where there was one.
    var httpStatus: Int?

    init(_ result: SendAttemptResult) { self.result = result }

    /// Apple counts 200 to 206 as taken.
    init(httpStatus: Int) {
        self.init((200...206).contains(httpStatus) ? .success : .unsuccessfulHTTPResponseCode)
        self.httpStatus = httpStatus
    }
}
