import AppStoreClient
import AppStoreModel
import AppStoreSigning
public import SubscriptionCore
public import SubscriptionStorage

/// Which versions of Apple's notifications arrive, and Apple's test notification.
public struct NotificationVersions: Sendable {
    /// What has arrived of each version.
    public struct State: Hashable, Sendable {
        /// The server's time.
        public var evaluatedAt: Timestamp
        /// The number of version 1 notifications; an attempt that is repeated counts again.
        public var versionOneCount: Int64
        /// When the last one of version 1 arrived.
        public var lastVersionOneAt: Timestamp?
        /// When the first one of version 2 arrived, without test notifications: these are always of version 2.
        public var firstVersionTwoAt: Timestamp?
    }

    /// What is known of a test notification.
    public struct Test: Hashable, Sendable {
        /// Apple's result of the last attempt, such as `SUCCESS`; nil while there is none.
        public var result: String?
        /// Whether this server holds the notification.
        public var isHeld: Bool
    }

    private static let pageRows = 100

    private let database: any SubscriptionDatabase
    private let access: AppStoreAccess
    private let time: any TimeSource

    /// Makes the use case.
    public init(database: any SubscriptionDatabase, access: AppStoreAccess, time: any TimeSource) {
        self.database = database
        self.access = access
        self.time = time
    }

    /// What has arrived.
    ///
    /// - Throws: ``OperationError`` with storage's codes.
    public func state(of app: AppID) async throws(OperationError) -> State {
        let now = time.now()
        return try await read { storage throws(StorageError) in
            let counts = try storage.unknownNotifications(of: app)
                .filter { $0.type == UnknownNotificationCount.versionOne }
            return State(
                evaluatedAt: now,
                versionOneCount: counts.reduce(0) { $0 + $1.count },
                lastVersionOneAt: counts.map(\.lastReceivedAt).max(),
                firstVersionTwoAt: try Self.firstVersionTwo(of: app, in: storage)
            )
        }
    }

    /// Makes Apple send a test notification.
    ///
    /// - Returns: Apple's token of it.
    /// - Throws: ``OperationError``: `app_store_api_not_configured`, `app_store_refused` if App Store Connect has no
    ///   URL for this environment, `app_store_unauthorized`, `app_store_unavailable`, `app_store_busy`.
    public func requestTest(of app: AppID) async throws(OperationError) -> String {
        let api = try access.entry(of: app).api
        do throws(AppStoreClientError) {
            return try await api.requestTestNotification().value.testNotificationToken
        } catch {
            throw OperationError(error, parameter: "token")
        }
    }

    /// What became of a test notification.
    ///
    /// - Throws: ``OperationError`` as ``requestTest(of:)``; `app_store_refused` if Apple does not know the token.
    public func test(_ token: String, of app: AppID) async throws(OperationError) -> Test {
        let api = try access.entry(of: app).api
        let status: CheckTestNotificationResponse
        do throws(AppStoreClientError) {
            status = try await api.getTestNotificationStatus(testNotificationToken: token).value
        } catch {
            guard error.apiError != .testNotificationNotFound else { return Test(result: nil, isHeld: false) }
            throw OperationError(error, parameter: "token")
        }
        let payload = (try? UnverifiedJWS.decode(Array(status.signedPayload.utf8)))?.payload
        let id = payload?["notificationUUID"]?.stringValue.map { EvidenceID(notificationUUID: $0) }
        let isHeld = try await read { storage throws(StorageError) in
            guard let id else { return false }
            return try storage.evidence(id, of: app) != nil
        }
        let last = status.sendAttempts?.last?.sendAttemptResult ?? status.firstSendAttemptResult
        return Test(result: last?.rawValue, isHeld: isHeld)
    }

    private static func firstVersionTwo(
        of app: AppID,
        in storage: any StorageReading
    ) throws(StorageError) -> Timestamp? {
        var last: Int64 = 0
        while true {
            let page = try storage.evidence(.notification, of: app, after: last, limit: pageRows)
            if let first = page.compactMap(\.summary).first(where: { $0.type != "TEST" }) { return first.receivedAt }
            guard page.count == pageRows, let sequence = page.last?.sequence else { return nil }
            last = sequence
        }
    }

    private func read<Value: Sendable>(
        _ body: @Sendable @escaping (any StorageReading) throws(StorageError) -> Value
    ) async throws(OperationError) -> Value {
        do throws(StorageError) {
            return try await database.read(body)
        } catch {
            throw OperationError(error)
        }
    }
}
