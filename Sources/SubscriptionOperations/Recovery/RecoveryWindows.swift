import AppStoreModel
public import SubscriptionCore
public import SubscriptionStorage

/// Requests recovery windows and reads them.
public struct RecoveryWindows: Sendable {
    /// What somebody asks for.
    public struct Request: Hashable, Sendable {
        /// The identifier of the new window.
        public var id: RecoveryWindowID
        /// The start of the span.
        public var from: Timestamp
        /// The end of the span; a later time than now counts as now.
        public var to: Timestamp
        /// Whether only notifications are compared that Apple could not deliver.
        public var onlyFailures: Bool

        /// Makes a request.
        public init(id: RecoveryWindowID, from: Timestamp, to: Timestamp, onlyFailures: Bool = false) {
            self.id = id
            self.from = from
            self.to = to
            self.onlyFailures = onlyFailures
        }
    }

    /// The maximum number of requested windows of an app that wait.
    static let waitingMax = 50

    private let database: any SubscriptionDatabase
    private let access: AppStoreAccess
    private let time: any TimeSource
    private let recovery: Recovery

    /// Makes the use case.
    public init(database: any SubscriptionDatabase, access: AppStoreAccess, time: any TimeSource, recovery: Recovery) {
        self.database = database
        self.access = access
        self.time = time
        self.recovery = recovery
    }

    /// Makes a window. A server compares it in the background.
    ///
    /// A second request with the same identifier changes nothing.
    ///
    /// - Throws: ``OperationError``: `app_store_api_not_configured`, `recovery_window_invalid`,
    ///   `recovery_window_too_old`, `recovery_busy`, `clock_disputed`, or storage's codes.
    public func request(
        _ request: Request,
        app: AppID,
        by who: Operator
    ) async throws(OperationError) -> RecoveryWindow {
        _ = try access.entry(of: app)
        guard time.dispute == nil else { throw .clockDisputed }
        let now = time.now()
        let end = min(request.to, now)
        guard request.from < end else { throw .windowInvalid }
        guard let environment = app.environment else { throw .windowInvalid }
        let oldest = now.adding(milliseconds: -RecoverySettings.historyMilliseconds(of: environment))
        guard request.from >= oldest else { throw .windowTooOld(environment) }
        let window = RecoveryWindow(
            id: request.id,
            createdAt: now,
            from: request.from,
            to: end,
            onlyFailures: request.onlyFailures,
            reason: .request
        )
        let result: Result<RecoveryWindow, OperationError>
        do {
            result = try await database.write { storage throws(StorageError) in
                if let existing = try storage.recoveryWindow(window.id, of: app) { return .success(existing) }
                guard try storage.openRecoveryWindows(of: app, limit: Self.waitingMax).count < Self.waitingMax else {
                    return .failure(.recoveryBusy)
                }
                try storage.save(window, of: app)
                try storage.audit(
                    .recoveryRequested,
                    .recoveryWindow(window.id),
                    by: who,
                    app: app,
                    at: now,
                    after: AuditedValue([
                        "from": .integer(window.from.milliseconds), "to": .integer(window.to.milliseconds),
                        "only_failures": .bool(window.onlyFailures),
                    ])
                )
                return .success(window)
            }
        } catch {
            throw OperationError(error)
        }
        recovery.wakeUp.call()
        return try result.get()
    }

    /// A window.
    ///
    /// - Throws: ``OperationError`` `recovery_window_not_found`, or storage's codes.
    public func window(_ id: RecoveryWindowID, app: AppID) async throws(OperationError) -> RecoveryWindow {
        let window: RecoveryWindow?
        do {
            window = try await database.read { storage throws(StorageError) in
                try storage.recoveryWindow(id, of: app)
            }
        } catch {
            throw OperationError(error)
        }
        guard let window else { throw .windowNotFound }
        return window
    }

    /// An app's windows, newest first.
    ///
    /// - Parameter last: The last window of the previous page; nil for the first page.
    /// - Throws: ``OperationError`` `recovery_window_not_found` for an unknown `last`, or storage's codes.
    public func windows(
        app: AppID,
        before last: RecoveryWindowID?,
        limit: Int
    ) async throws(OperationError) -> [RecoveryWindow] {
        let result: Result<[RecoveryWindow], OperationError>
        do {
            result = try await database.read { storage throws(StorageError) in
                var start: RecoveryWindow?
                if let last {
                    start = try storage.recoveryWindow(last, of: app)
                    guard start != nil else { return .failure(.windowNotFound) }
                }
                return .success(try storage.recoveryWindows(of: app, before: start, limit: limit))
            }
        } catch {
            throw OperationError(error)
        }
        return try result.get()
    }
}

extension OperationError {
    fileprivate static let windowInvalid = OperationError(
        "recovery_window_invalid",
        "The window is empty: from must be before to and before now.",
        kind: .invalidRequest,
        parameter: "from"
    )

    fileprivate static let windowNotFound = OperationError(
        "recovery_window_not_found",
        "There is no such recovery window. List them with GET /v1/recovery/windows.",
        kind: .notFound
    )

    fileprivate static let recoveryBusy = OperationError(
        "recovery_busy",
        "\(RecoveryWindows.waitingMax) recovery windows are waiting. Send it again when some are finished.",
        kind: .unavailable
    )

    fileprivate static func windowTooOld(_ environment: StoreEnvironment) -> OperationError {
        let days = RecoverySettings.historyMilliseconds(of: environment) / 86_400_000
        return OperationError(
            "recovery_window_too_old",
            "Apple's history goes back \(days) days in \(environment.rawValue). Begin the window later.",
            kind: .invalidRequest,
            parameter: "from"
        )
    }
}
