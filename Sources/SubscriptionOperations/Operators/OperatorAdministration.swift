import PerennialPrimitives
public import SubscriptionCore
public import SubscriptionStorage

/// Adds, changes and removes the people who operate the server. The commands use it, directly on the database.
public struct OperatorAdministration: Sendable {
    /// The most keys and sessions of an operator.
    static let keysMax = 100

    /// What an operator needs once to sign in.
    public struct Enrolment: Hashable, Sendable {
        /// The secret of the one-time codes in Base32, to be typed.
        public let secret: String
        /// The same as an address for an app, mostly shown as a QR code.
        public let address: String

        init(_ name: String, _ secret: [UInt8]) {
            self.secret = Base32.encode(secret)
            address = OneTimeCode.address(of: name, secret: secret)
        }
    }

    /// A key to make.
    public struct KeyDraft: Hashable, Sendable {
        /// A description for people.
        public var label: String?
        /// How long it is valid, in milliseconds; nil for ever.
        public var lifetime: Int64?

        /// Describes a key.
        public init(label: String? = nil, lifetime: Int64? = nil) {
            self.label = label
            self.lifetime = lifetime
        }
    }

    /// What to change; nil is left as it is.
    public struct Change: Hashable, Sendable {
        /// The new role.
        public var role: OperatorRole?
        /// The new apps; `.some(nil)` for all.
        public var apps: [AppID]??
        /// Whether the operator is disabled.
        public var isDisabled: Bool?

        /// Describes a change.
        public init(role: OperatorRole? = nil, apps: [AppID]?? = nil, isDisabled: Bool? = nil) {
            self.role = role
            self.apps = apps
            self.isDisabled = isDisabled
        }
    }

    /// An operator with keys and sessions.
    public struct View: Hashable, Sendable {
        /// The operator.
        public let account: OperatorAccount
        /// The keys and sessions, oldest first.
        public let keys: [OperatorKey]
    }

    let database: any SubscriptionDatabase
    private let hashing: PasswordHashing
    let time: any TimeSource

    /// Makes the use case.
    ///
    /// - Parameters:
    ///   - hashing: Hashes passwords.
    ///   - time: Real time.
    package init(
        database: any SubscriptionDatabase,
        hashing: PasswordHashing = PasswordHashing(),
        time: any TimeSource = SystemTimeSource()
    ) {
        self.database = database
        self.hashing = hashing
        self.time = time
    }

    /// All operators, by name.
    ///
    /// - Throws: ``OperatorError`` with storage's codes.
    public func all() async throws(OperatorError) -> [View] {
        do {
            return try await database.read { storage throws(StorageError) in
                var views: [View] = []
                for account in try storage.operatorAccounts() {
                    views.append(View(account: account, keys: try storage.operatorKeys(of: account.id)))
                }
                return views
            }
        } catch {
            throw OperatorError(error)
        }
    }

    /// An operator.
    ///
    /// - Throws: ``OperatorError`` `operator_not_found`, or storage's codes.
    public func view(of name: String) async throws(OperatorError) -> View {
        let found: View?
        do {
            found = try await database.read { storage throws(StorageError) in
                guard let account = try storage.operatorAccount(named: Self.normal(name)) else { return nil }
                return View(account: account, keys: try storage.operatorKeys(of: account.id))
            }
        } catch {
            throw OperatorError(error)
        }
        guard let found else { throw .notFound }
        return found
    }

    /// Adds an operator who signs in with a password and one-time codes.
    ///
    /// - Parameter apps: The apps; nil for all.
    /// - Throws: ``OperatorError`` `operator_name_invalid`, `operator_exists`, `operator_password_invalid`,
    ///   `app_not_configured`, or storage's codes.
    public func add(
        _ name: String,
        role: OperatorRole,
        apps: [AppID]?,
        password: String,
        by who: Operator
    ) async throws(OperatorError) -> Enrolment {
        var account = try newAccount(name, role: role, apps: apps)
        let (verifier, secret) = try await secrets(password, of: account.name)
        (account.password, account.totpSecret) = (verifier, secret)
        try await insert(account, with: nil, by: who)
        return Enrolment(account.name, secret)
    }

    /// Adds an operator with a key instead of a sign-in.
    ///
    /// - Returns: The key, which is not stored.
    /// - Throws: As ``add(_:role:apps:password:by:)``.
    public func add(
        _ name: String,
        role: OperatorRole,
        apps: [AppID]?,
        key draft: KeyDraft,
        by who: Operator
    ) async throws(OperatorError) -> String {
        let account = try newAccount(name, role: role, apps: apps)
        let key = issue(draft, of: account.id)
        try await insert(account, with: key.record, by: who)
        return key.text
    }

    /// Gives an operator a new password and a new secret for one-time codes, and ends all sessions and a lock. Keys
    /// stay valid.
    ///
    /// - Throws: ``OperatorError`` `operator_not_found`, `operator_password_invalid`, or storage's codes.
    public func reset(_ name: String, password: String, by who: Operator) async throws(OperatorError) -> Enrolment {
        let current = try await view(of: name).account
        let (verifier, secret) = try await secrets(password, of: current.name)
        try await change(current.name) { account, storage, now throws(StorageError) in
            let before = account
            (account.password, account.totpSecret, account.totpStep) = (verifier, secret, nil)
            (account.failures, account.lockedUntil) = (0, nil)
            for key in try storage.operatorKeys(of: account.id) where key.kind == .session { try storage.remove(key) }
            try storage.audit(
                .operatorReset,
                account,
                by: who,
                at: now,
                before: AuditedValue(before),
                after: AuditedValue(account)
            )
        }
        return Enrolment(current.name, secret)
    }

    /// Changes an operator. A disabled operator has no sessions. Repeating a change has no further entry in the audit
    /// log.
    ///
    /// - Throws: ``OperatorError`` `operator_not_found`, `app_not_configured`, or storage's codes.
    public func change(_ name: String, _ change: Change, by who: Operator) async throws(OperatorError) {
        if case .some(.some(let apps)) = change.apps { try await check(apps) }
        try await self.change(name) { account, storage, now throws(StorageError) in
            let before = account
            account.role = change.role ?? account.role
            if let apps = change.apps { account.apps = apps.map { Set($0).sorted() } }
            if let isDisabled = change.isDisabled { account.disabledAt = isDisabled ? account.disabledAt ?? now : nil }
            if account.disabledAt != nil {
                for key in try storage.operatorKeys(of: account.id) where key.kind == .session {
                    try storage.remove(key)
                }
            }
            guard account != before else { return }
            try storage.audit(
                .operatorChanged,
                account,
                formerly: before,
                by: who,
                at: now,
                before: AuditedValue(before),
                after: AuditedValue(account)
            )
        }
    }

    /// Ends the lock after failed sign-ins, and forgets the failures. Without any, nothing changes.
    ///
    /// - Throws: ``OperatorError`` `operator_not_found`, or storage's codes.
    public func unlock(_ name: String, by who: Operator) async throws(OperatorError) {
        try await change(name) { account, storage, now throws(StorageError) in
            guard account.failures != 0 || account.lockedUntil != nil else { return }
            (account.failures, account.lockedUntil) = (0, nil)
            try storage.audit(.operatorUnlocked, account, by: who, at: now)
        }
    }

    /// Removes an operator with all keys and sessions. The audit log keeps the name.
    ///
    /// - Throws: ``OperatorError`` `operator_not_found`, or storage's codes.
    public func remove(_ name: String, by who: Operator) async throws(OperatorError) {
        let now = time.now()
        try await write { storage throws(StorageError) -> Result<Void, OperatorError> in
            guard let account = try storage.lockedOperator(named: Self.normal(name)) else { return .failure(.notFound) }
            try storage.removeOperator(account.id)
            try storage.audit(.operatorRemoved, account, by: who, at: now, before: AuditedValue(account))
            return .success(())
        }
    }

    // MARK: Parts

    /// Changes an operator in one transaction with its audit entry.
    private func change(
        _ name: String,
        _ body: @escaping @Sendable (inout OperatorAccount, any StorageWriting, Timestamp) throws(StorageError) -> Void
    ) async throws(OperatorError) {
        let now = time.now()
        try await write { storage throws(StorageError) -> Result<Void, OperatorError> in
            guard var account = try storage.lockedOperator(named: Self.normal(name)) else { return .failure(.notFound) }
            try body(&account, storage, now)
            try storage.save(account)
            return .success(())
        }
    }

    private func newAccount(
        _ name: String,
        role: OperatorRole,
        apps: [AppID]?
    ) throws(OperatorError) -> OperatorAccount {
        guard let name = OperatorRules.name(name) else { throw .nameInvalid }
        let id = OperatorID(rawValue: "opr_" + RandomName.make())
        return OperatorAccount(
            id: id,
            name: name,
            role: role,
            apps: apps.map { Set($0).sorted() },
            createdAt: time.now()
        )
    }

    private func secrets(
        _ text: String,
        of name: String
    ) async throws(OperatorError) -> (verifier: String, secret: [UInt8]) {
        guard let password = OperatorRules.newPassword(text, of: name) else { throw .passwordInvalid }
        do {
            return (try await hashing.verifier(of: password).text, OneTimeCode.makeSecret())
        } catch {
            throw OperatorError(error)
        }
    }

    private func insert(
        _ account: OperatorAccount,
        with key: OperatorKey?,
        by who: Operator
    ) async throws(OperatorError) {
        try await check(account.apps ?? [])
        try await write { storage throws(StorageError) -> Result<Void, OperatorError> in
            guard try storage.add(account) else { return .failure(.nameTaken) }
            try storage.audit(
                .operatorCreated,
                account,
                by: who,
                at: account.createdAt,
                after: AuditedValue(account)
            )
            if let key {
                try storage.insert(key)
                let after = AuditedValue(key)
                try storage.audit(.operatorKeyCreated, account, by: who, at: account.createdAt, after: after)
            }
            return .success(())
        }
    }

    private func check(_ apps: [AppID]) async throws(OperatorError) {
        let known: [AppID]
        do {
            known = try await database.read { storage throws(StorageError) in try storage.apps().map(\.id) }
        } catch {
            throw OperatorError(error)
        }
        if let app = apps.first(where: { !known.contains($0) }) { throw .appNotConfigured(app.rawValue) }
    }

    static func normal(_ name: String) -> String { OperatorRules.name(name) ?? name }

    func write<Value: Sendable>(
        _ body: @escaping @Sendable (any StorageWriting) throws(StorageError) -> Result<Value, OperatorError>
    ) async throws(OperatorError) -> Value {
        let result: Result<Value, OperatorError>
        do {
            result = try await database.write(body)
        } catch {
            throw OperatorError(error)
        }
        return try result.get()
    }
}

extension StorageWriting {
    /// The operator with a name, whose row is locked until the commit.
    ///
    /// - Throws: ``StorageError``.
    func lockedOperator(named name: String) throws(StorageError) -> OperatorAccount? {
        guard let found = try operatorAccount(named: name) else { return nil }
        return try operatorAccount(found.id)
    }
}
