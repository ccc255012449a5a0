public import SubscriptionCore

/// The identifier of a person who operates the server.
public struct OperatorID: TextIdentifier {
    /// `opr_` and hexadecimal digits.
    public let rawValue: String
    /// Wraps the text.
    public init(rawValue: String) { self.rawValue = rawValue }
}

/// A person who operates the server, with the secrets of the sign-in.
public struct OperatorAccount: Hashable, Sendable {
    /// The identifier.
    public var id: OperatorID
    /// The name, which signs in and is in the audit log. Two names that differ only in case are the same.
    public var name: String
    /// What the person may do.
    public var role: OperatorRole
    /// The apps with which the person may work; nil for all.
    public var apps: [AppID]?
    /// The verifier of the password, with its algorithm and parameters; nil if the person does not sign in.
    public var password: String?
    /// The secret of the one-time codes, 20 bytes; nil if the person does not sign in.
    public var totpSecret: [UInt8]?
    /// The last step of 30 seconds whose code was accepted. Each step is accepted once.
    public var totpStep: Int64?
    /// The number of failed sign-ins since the last success.
    public var failures: Int
    /// Until when every sign-in fails, in real time; nil if it is not locked.
    public var lockedUntil: Timestamp?
    /// When it was made, in real time.
    public var createdAt: Timestamp
    /// When it was disabled, in real time; nil if it is not.
    public var disabledAt: Timestamp?
    /// When the person last signed in, in real time; nil for never.
    public var signedInAt: Timestamp?

    /// Makes an account that cannot sign in yet.
    public init(id: OperatorID, name: String, role: OperatorRole, apps: [AppID]? = nil, createdAt: Timestamp) {
        self.id = id
        self.name = name
        self.role = role
        self.apps = apps
        self.createdAt = createdAt
        failures = 0
    }

    /// Whether the person may work with an app.
    public func mayUse(_ app: AppID) -> Bool { apps?.contains(app) ?? true }
}

extension OperatorAccount: TableRecord {
    fileprivate static let byName = TableIndex("operators_by_name", ["name_key"], unique: true)

    /// The table.
    public static let table = TableDescription(
        "operators",
        scope: .database,
        columns: [
            .text("operator_id"), .text("name_key"), .text("name"), .text("role"), .text("apps", optional: true),
            .text("password", optional: true, secret: true), .bytes("totp_secret", optional: true, secret: true),
            .integer("totp_step", optional: true), .integer("failures"), .integer("locked_until", optional: true),
            .integer("created_at"), .integer("disabled_at", optional: true), .integer("signed_in_at", optional: true),
        ],
        key: ["operator_id"],
        indexes: [byName],
        lock: .row,
        step: 23
    )

    /// The form of a name by which it is unique.
    static func nameKey(_ name: String) -> String { name.lowercased() }

    /// The values of the columns, in the order of the table.
    public var columns: [ColumnValue] {
        [
            .text(id), .string(Self.nameKey(name)), .string(name), .text(role),
            .text(apps?.map(\.rawValue).joined(separator: "\n")), .text(password), .bytes(totpSecret),
            .integer(totpStep), .integer(failures), .time(lockedUntil), .time(createdAt), .time(disabledAt),
            .time(signedInAt),
        ]
    }

    /// Reads a row.
    ///
    /// - Throws: ``StorageError`` with `storage_corrupt` if a value is invalid.
    public init(row: some ColumnReading) throws(StorageError) {
        self.init(
            id: try row.identifier(0),
            name: try row.text(2),
            role: try row.choice(3),
            apps: try row.optionalText(4)?.split(separator: "\n").map { AppID(rawValue: String($0)) },
            createdAt: try row.time(10)
        )
        password = try row.optionalText(5)
        totpSecret = try row.optionalBytes(6)
        totpStep = try row.optionalInteger(7)
        failures = try row.count(8)
        lockedUntil = try row.optionalTime(9)
        disabledAt = try row.optionalTime(11)
        signedInAt = try row.optionalTime(12)
    }
}

extension TableReading {
    /// An operator. A write locks the row, so what it then reads stays true until its commit.
    ///
    /// - Throws: ``StorageError``.
    public func operatorAccount(_ id: OperatorID) throws(StorageError) -> OperatorAccount? {
        try row(of: OperatorAccount.self, key: [.text(id)], in: nil)
    }

    /// The operator with a name, in any case. A write does not lock it.
    ///
    /// - Throws: ``StorageError``.
    public func operatorAccount(named name: String) throws(StorageError) -> OperatorAccount? {
        let key = ColumnValue.string(OperatorAccount.nameKey(name))
        return try rows(of: OperatorAccount.self, TableLookup(of: nil, by: OperatorAccount.byName, equal: [key])).first
    }

    /// All operators, by name.
    ///
    /// - Throws: ``StorageError``.
    public func operatorAccounts() throws(StorageError) -> [OperatorAccount] {
        try rows(of: OperatorAccount.self, TableLookup(of: nil, by: OperatorAccount.byName))
    }
}

extension TableWriting {
    /// Adds an operator. It does nothing if the name is taken.
    ///
    /// - Returns: Whether it was added.
    /// - Throws: ``StorageError``.
    public func add(_ account: OperatorAccount) throws(StorageError) -> Bool {
        try insert(once: account, in: nil)
        return try operatorAccount(account.id) != nil
    }

    /// Replaces an operator that exists.
    ///
    /// - Throws: ``StorageError``.
    public func save(_ account: OperatorAccount) throws(StorageError) { try save(account, in: nil) }

    /// Removes an operator with all keys and sessions.
    ///
    /// - Throws: ``StorageError``.
    public func removeOperator(_ id: OperatorID) throws(StorageError) {
        try remove(OperatorAccount.self, TableLookup(of: nil, equal: [.text(id)]))
        try remove(OperatorKey.self, TableLookup(of: nil, equal: [.text(id)]))
    }
}
