import AppStoreModel
public import SubscriptionCore
public import SubscriptionStorage

/// Makes, rotates, revokes and lists an app's API keys.
public struct APIKeys: Sendable {
    /// A key as people see it.
    public struct View: Hashable, Sendable {
        /// Its record.
        public let record: APIKeyRecord
        /// When it was last used, in real time, to about a minute; nil if never.
        public let lastUsedAt: Timestamp?
    }

    /// A new key. Its text is shown only once, because only its digest is stored.
    public struct New: Hashable, Sendable {
        /// The text of the key.
        public let text: String
        /// The key.
        public let view: View
    }

    /// What a new key is for.
    public struct Draft: Hashable, Sendable {
        /// The kind.
        public var kind: APIKeyRecord.Kind
        /// What a secret key may do.
        public var scope: KeyScope
        /// A description, at most ``labelCharactersMax`` characters.
        public var label: String?
        /// When it stops being accepted; nil for never.
        public var expiresAt: Timestamp?

        /// Makes a draft.
        public init(
            kind: APIKeyRecord.Kind,
            scope: KeyScope = .admin,
            label: String? = nil,
            expiresAt: Timestamp? = nil
        ) {
            self.kind = kind
            self.scope = scope
            self.label = label
            self.expiresAt = expiresAt
        }
    }

    /// The maximum length of a label, in characters.
    public static let labelCharactersMax = 60
    /// The maximum number of keys of an app.
    public static let countMax = 1_000
    /// How long a rotated key is accepted unless something else is said, in milliseconds.
    public static let overlapDefault: Int64 = 86_400_000
    /// The longest time that a rotated key can still be accepted, in milliseconds.
    public static let overlapMax: Int64 = 30 * 86_400_000

    private let database: any SubscriptionDatabase
    private let time: any TimeSource

    /// Makes the use case.
    ///
    /// - Parameter time: Real time. A key expires in real time, also when the server follows a store's clock.
    public init(database: any SubscriptionDatabase, time: any TimeSource = SystemTimeSource()) {
        self.database = database
        self.time = time
    }

    /// Whether a label is one line of 1 to ``labelCharactersMax`` characters.
    public static func isLabel(_ text: String) -> Bool {
        (1...labelCharactersMax).contains(text.count) && text.allSatisfy { !$0.isNewline && $0 != "\0" }
    }

    /// The keys of an app, oldest first.
    ///
    /// - Throws: ``OperationError`` `app_not_configured`, or storage's codes.
    public func list(of app: AppID) async throws(OperationError) -> [View] {
        try await read(app) { storage throws(StorageError) in
            var views: [View] = []
            for record in try storage.apiKeys(of: app) { views.append(try storage.view(of: record)) }
            return .success(views)
        }
    }

    /// A key.
    ///
    /// - Parameter name: Its identifier, its text as ``APIKeyRecord/shownText`` or its last characters, or itself.
    /// - Throws: ``OperationError`` `key_not_found`, `key_ambiguous`, `app_not_configured`, or storage's codes.
    public func key(_ name: String, of app: AppID) async throws(OperationError) -> View {
        try await read(app) { storage throws(StorageError) in
            switch try storage.apiKey(named: name, of: app) {
            case .success(let record): .success(try storage.view(of: record))
            case .failure(let error): .failure(error)
            }
        }
    }

    /// Makes a key.
    ///
    /// - Throws: ``OperationError`` `key_expires_in_the_past`, `too_many_keys`, `app_not_configured`, or storage's
    ///   codes.
    public func create(_ draft: Draft, app: AppID, by who: Operator) async throws(OperationError) -> New {
        let now = time.now()
        if let expiresAt = draft.expiresAt, expiresAt <= now { throw .keyExpiresInThePast }
        let (text, record) = KeyIssuing.make(draft, app: app, createdAt: now)
        return try await write(app) { storage throws(StorageError) in
            guard try storage.apiKeys(of: app).count < Self.countMax else { return .failure(.tooManyKeys) }
            try storage.insert(record)
            try storage.audit(
                .keyCreated,
                .key(record.shownText),
                by: who,
                app: app,
                at: now,
                after: AuditedValue(record)
            )
            return .success(New(text: text, view: View(record: record, lastUsedAt: nil)))
        }
    }

    /// Makes a key with the same rights and the same lifetime, and ends the old one after an overlap.
    ///
    /// - Parameters:
    ///   - name: As in ``key(_:of:)``.
    ///   - overlapMilliseconds: How long the old key is still accepted.
    /// - Returns: The new key, and the old one with its end.
    /// - Throws: ``OperationError`` `key_not_found`, `key_ambiguous`, `key_already_expired`, `key_already_rotated`,
    ///   `too_many_keys`, `app_not_configured`, or storage's codes.
    public func rotate(
        _ name: String,
        overlapMilliseconds: Int64 = overlapDefault,
        app: AppID,
        by who: Operator
    ) async throws(OperationError) -> (new: New, old: View) {
        let now = time.now()
        let text = KeyIssuing.makeText()
        let end = now.adding(milliseconds: overlapMilliseconds)
        return try await write(app) { storage throws(StorageError) in
            var old: APIKeyRecord
            switch try storage.apiKey(named: name, of: app) {
            case .success(let record): old = record
            case .failure(let error): return .failure(error)
            }
            if let expiresAt = old.expiresAt, expiresAt <= now { return .failure(.keyAlreadyExpired) }
            // Its end is that of the overlap, which must not become the lifetime of another key.
            guard old.replacedAt == nil else { return .failure(.keyAlreadyRotated) }
            guard try storage.apiKeys(of: app).count < Self.countMax else { return .failure(.tooManyKeys) }
            var draft = Draft(kind: old.kind, scope: old.scope, label: old.label)
            draft.expiresAt = old.expiresAt.map {
                now.adding(milliseconds: $0.milliseconds - old.createdAt.milliseconds)
            }
            let (newText, new) = KeyIssuing.make(draft, app: app, createdAt: now, text: text)
            let before = AuditedValue(old)
            old.expiresAt = min(old.expiresAt ?? end, end)
            old.replacedAt = now
            try storage.replace(old)
            try storage.insert(new)
            try storage.audit(
                .keyRotated,
                .key(old.shownText),
                by: who,
                app: app,
                at: now,
                before: before,
                after: AuditedValue(old)
            )
            try storage.audit(.keyCreated, .key(new.shownText), by: who, app: app, at: now, after: AuditedValue(new))
            let made = New(text: newText, view: View(record: new, lastUsedAt: nil))
            return .success((made, try storage.view(of: old)))
        }
    }

    /// Revokes a key. Servers that know it accept it for at most ``KnownKeys/trustedFor``.
    ///
    /// - Parameter name: As in ``key(_:of:)``.
    /// - Throws: ``OperationError`` `key_not_found`, `key_ambiguous`, `app_not_configured`, or storage's codes.
    public func revoke(_ name: String, app: AppID, by who: Operator) async throws(OperationError) -> View {
        let now = time.now()
        return try await write(app) { storage throws(StorageError) in
            let record: APIKeyRecord
            switch try storage.apiKey(named: name, of: app) {
            case .success(let found): record = found
            case .failure(let error): return .failure(error)
            }
            let view = try storage.view(of: record)
            try storage.removeAPIKey(digest: record.digest, of: app)
            try storage.removeUse(ofKey: record.publicID)
            try storage.audit(
                .keyRevoked,
                .key(record.shownText),
                by: who,
                app: app,
                at: now,
                before: AuditedValue(record)
            )
            return .success(view)
        }
    }

    private func read<Value: Sendable>(
        _ app: AppID,
        _ body: @escaping @Sendable (any StorageReading) throws(StorageError) -> Result<Value, OperationError>
    ) async throws(OperationError) -> Value {
        let result: Result<Value, OperationError>
        do {
            result = try await database.read { storage throws(StorageError) in
                guard try storage.apps().contains(where: { $0.id == app }) else { return .failure(.appUnknown(app)) }
                return try body(storage)
            }
        } catch {
            throw OperationError(error)
        }
        return try result.get()
    }

    private func write<Value: Sendable>(
        _ app: AppID,
        _ body: @escaping @Sendable (any StorageWriting) throws(StorageError) -> Result<Value, OperationError>
    ) async throws(OperationError) -> Value {
        let result: Result<Value, OperationError>
        do {
            result = try await database.write { storage throws(StorageError) in
                guard try storage.apps().contains(where: { $0.id == app }) else { return .failure(.appUnknown(app)) }
                return try body(storage)
            }
        } catch {
            throw OperationError(unrepeatable: error)
        }
        return try result.get()
    }
}

extension StorageReading {
    fileprivate func view(of record: APIKeyRecord) throws(StorageError) -> APIKeys.View {
        APIKeys.View(record: record, lastUsedAt: try lastUse(ofKey: record.publicID))
    }

    fileprivate func apiKey(named name: String, of app: AppID) throws(StorageError) -> Result<
        APIKeyRecord, OperationError
    > {
        let named = try apiKeys(of: app).filter { $0.isNamed(name) }
        guard let record = named.first else { return .failure(.keyNotFound) }
        return named.count == 1 ? .success(record) : .failure(.keyAmbiguous(named.count))
    }
}

extension AuditedValue {
    /// The description of a key, without its secret.
    fileprivate init(_ key: APIKeyRecord) {
        self.init([
            "kind": .string(key.kind.rawValue), "scope": key.kind == .secret ? .string(key.scope.rawValue) : nil,
            "label": key.label.map { .string($0) }, "expires_at": key.expiresAt.map { .integer($0.milliseconds) },
        ])
    }
}

extension OperationError {
    fileprivate static let keyExpiresInThePast = OperationError(
        "key_expires_in_the_past",
        "expires_at is not in the future. Give a later time, or none for a key without an end.",
        kind: .invalidRequest,
        parameter: "expires_at"
    )

    fileprivate static let tooManyKeys = OperationError(
        "too_many_keys",
        "The app has \(APIKeys.countMax) keys, which is the limit. Revoke those that are not used.",
        kind: .conflict
    )

    fileprivate static let keyNotFound = OperationError(
        "key_not_found",
        "The app has no such key. perennial keys list and GET /v1/api_keys show its keys.",
        kind: .notFound
    )

    fileprivate static func keyAmbiguous(_ count: Int) -> OperationError {
        OperationError(
            "key_ambiguous",
            "\(count) keys match, and none was changed. Give the identifier (key_…), or the whole key.",
            kind: .conflict
        )
    }

    fileprivate static let keyAlreadyExpired = OperationError(
        "key_already_expired",
        "The key has expired, so there is nothing to replace. Create a new one.",
        kind: .conflict
    )

    fileprivate static let keyAlreadyRotated = OperationError(
        "key_already_rotated",
        "Another key replaced this one already, and the list of keys shows both. If the new key was lost, revoke it "
            + "and create another one.",
        kind: .conflict
    )

    fileprivate static func appUnknown(_ app: AppID) -> OperationError {
        OperationError(
            "app_not_configured",
            "\(app) is not in this database. Check the bundle identifier and the environment, or start perennial serve "
                + "with --app first.",
            kind: .notFound
        )
    }
}
