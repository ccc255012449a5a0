import AppStoreModel
public import SubscriptionCore
public import SubscriptionStorage

/// Signs people in with name, password and one-time code, and out again.
///
/// Every refusal is the same and takes as long: for a wrong name, password or code, a used code, and a disabled or
/// locked operator. After five failures in a row the operator is locked for 1, 2, 4 … 60 minutes. The count is in the
/// database, so that all servers share it.
public struct OperatorSignIn: Sendable {
    /// The failures in a row that are free.
    private static let freeFailures = 4
    private static let lockMinutesMax: Int64 = 60
    /// The most sessions of an operator. One more ends the oldest.
    private static let sessionsMax = 20
    /// A refusal is never faster, so that its time does not show what was written.
    private static let refusalDelay = Duration.milliseconds(500)

    /// What a person sends.
    public struct Credentials: Sendable {
        let name: String
        let password: String
        let code: String

        /// Makes credentials in any normal form; spaces in the code do not count.
        public init(name: String, password: String, code: String) {
            self.name = OperatorAdministration.normal(name)
            self.password = OperatorRules.normalPassword(password)
            self.code = code.filter { !$0.isWhitespace }
        }
    }

    /// A new session.
    public struct Session: Hashable, Sendable {
        /// The bearer token, which is not stored.
        public let token: String
        /// When it ends, in real time.
        public let expiresAt: Timestamp
        /// The person.
        public let account: OperatorAccount
    }

    private let database: any SubscriptionDatabase
    private let hashing: PasswordHashing
    private let settings: OperatorSettings
    private let time: any TimeSource
    private let realTime: any TimeSource
    private let waiting: any Clock<Duration>

    /// Makes the use case.
    ///
    /// - Parameters:
    ///   - hashing: Hashes passwords.
    ///   - time: The clock of the audit log.
    ///   - realTime: Real time, for codes, locks and sessions.
    ///   - waiting: The clock for waiting requests.
    package init(
        database: any SubscriptionDatabase,
        hashing: PasswordHashing,
        settings: OperatorSettings,
        time: any TimeSource,
        realTime: any TimeSource,
        waiting: any Clock<Duration>
    ) {
        self.database = database
        self.hashing = hashing
        self.settings = settings
        self.time = time
        self.realTime = realTime
        self.waiting = waiting
    }

    /// Signs a person in.
    ///
    /// - Returns: The session; nil for a refusal, whatever its reason is.
    /// - Throws: ``OperationError`` `overloaded`, or storage's codes.
    public func signIn(
        _ credentials: Credentials,
        requestID: String?
    ) async throws(OperationError) -> Session? {
        let waiting = waiting
        async let delay: Void? = try? waiting.sleep(for: Self.refusalDelay)
        guard let session = try await attempt(credentials, requestID: requestID) else {
            _ = await delay
            return nil
        }
        return session
    }

    private func attempt(
        _ credentials: Credentials,
        requestID: String?
    ) async throws(OperationError) -> Session? {
        let account = try await account(named: credentials.name)
        let verifier = account?.password.flatMap(PasswordVerifier.init(text:))
        let isRight = try await hashing.matches(credentials.password, verifier)
        guard let account else { return nil }
        let attempt = Attempt(
            account: account,
            passwordIsRight: isRight,
            code: credentials.code,
            now: realTime.now(),
            auditedAt: time.now(),
            requestID: requestID
        )
        let session: Session?
        do {
            session = try await database.write { storage throws(StorageError) in try decide(attempt, storage) }
        } catch {
            throw OperationError(error)
        }
        if session != nil, let verifier, verifier.cost != hashing.cost {
            try await renew(credentials.password, of: account)
        }
        return session
    }

    private struct Attempt: Sendable {
        let account: OperatorAccount
        let passwordIsRight: Bool
        let code: String
        let now: Timestamp
        let auditedAt: Timestamp
        let requestID: String?
    }

    /// Decides in one transaction, in which the operator is locked: of two servers with the same code only one accepts
    /// it.
    private func decide(_ attempt: Attempt, _ storage: any StorageWriting) throws(StorageError) -> Session? {
        guard
            var account = try storage.operatorAccount(attempt.account.id), account.disabledAt == nil,
            let secret = account.totpSecret, account.lockedUntil.map({ $0 <= attempt.now }) ?? true
        else { return nil }
        // A password that was replaced meanwhile is wrong.
        let passwordIsRight = attempt.passwordIsRight && account.password == attempt.account.password
        let step = OneTimeCode.step(of: attempt.code, secret: secret, at: attempt.now, after: account.totpStep)
        guard passwordIsRight, let step else {
            try countFailure(&account, attempt, storage)
            return nil
        }
        (account.totpStep, account.failures, account.lockedUntil) = (step, 0, nil)
        account.signedInAt = attempt.now
        try storage.save(account)
        try endOldSessions(of: account, at: attempt.now, storage)
        let expiresAt = attempt.now.adding(milliseconds: settings.sessionMilliseconds)
        let key = OperatorKey.issue(.session, of: account.id, at: attempt.now, expiresAt: expiresAt)
        try storage.insert(key.record)
        try storage.audit(
            .operatorSignedIn,
            account,
            by: account.acting(requestID: attempt.requestID),
            at: attempt.auditedAt,
            after: AuditedValue(key.record)
        )
        return Session(token: key.text, expiresAt: expiresAt, account: account)
    }

    private func countFailure(
        _ account: inout OperatorAccount,
        _ attempt: Attempt,
        _ storage: any StorageWriting
    ) throws(StorageError) {
        account.failures += 1
        let doublings = account.failures - Self.freeFailures - 1
        if doublings >= 0 {
            let minutes = min(1 << Int64(min(doublings, 10)), Self.lockMinutesMax)
            let end = attempt.now.adding(milliseconds: minutes * 60_000)
            account.lockedUntil = end
            let after = AuditedValue([
                "failures": .integer(Int64(account.failures)), "locked_until": .integer(end.milliseconds),
            ])
            let who = Operator("perennial serve", requestID: attempt.requestID)
            try storage.audit(.operatorLocked, account, by: who, at: attempt.auditedAt, after: after)
        }
        try storage.save(account)
    }

    private func endOldSessions(
        of account: OperatorAccount,
        at now: Timestamp,
        _ storage: any StorageWriting
    ) throws(StorageError) {
        let sessions = try storage.operatorKeys(of: account.id).filter { $0.kind == .session }
        let valid = sessions.filter { !$0.isExpired(at: now) }
        for session in sessions where session.isExpired(at: now) { try storage.remove(session) }
        for session in valid.dropLast(Self.sessionsMax - 1) { try storage.remove(session) }
    }

    /// Stores the password with the current cost.
    private func renew(_ password: String, of account: OperatorAccount) async throws(OperationError) {
        let verifier = try await hashing.verifier(of: password).text
        do {
            try await database.write { storage throws(StorageError) in
                guard var current = try storage.operatorAccount(account.id), current.password == account.password else {
                    return
                }
                current.password = verifier
                try storage.save(current)
            }
        } catch {
            throw OperationError(error)
        }
    }

    private func account(named name: String) async throws(OperationError) -> OperatorAccount? {
        do {
            return try await database.read { storage throws(StorageError) in
                try storage.operatorAccount(named: name)
            }
        } catch {
            throw OperationError(error)
        }
    }

    /// Ends a session, or does nothing if it has ended.
    ///
    /// - Throws: ``OperationError`` with storage's codes.
    package func signOut(_ access: OperatorAccess, requestID: String?) async throws(OperationError) {
        let now = time.now()
        do {
            try await database.write { storage throws(StorageError) in
                guard
                    let account = try storage.operatorAccount(access.account.id),
                    try storage.operatorKey(digest: access.key.digest) != nil
                else { return }
                try storage.remove(access.key)
                let who = account.acting(requestID: requestID)
                try storage.audit(.operatorSignedOut, account, by: who, at: now, before: AuditedValue(access.key))
            }
        } catch {
            throw OperationError(error)
        }
    }
}
