import AppStoreModel
import SubscriptionCore
import SubscriptionStorage

extension OperatorAccount {
    /// The person as the one who acts, for the audit log.
    package func acting(requestID: String?) -> Operator {
        Operator("operator \(name) (\(role.rawValue))", requestID: requestID, keyID: id.rawValue)
    }
}

extension StorageReading {
    /// The apps of the database with which an operator may work, in order.
    ///
    /// - Throws: ``StorageError``.
    func apps(of account: OperatorAccount) throws(StorageError) -> [AppID] {
        try apps().map(\.id).filter(account.mayUse).sorted()
    }
}

extension StorageWriting {
    /// Writes an audit entry about an operator for each app with which the operator may work, or might before.
    ///
    /// - Parameter others: The operator before the change.
    /// - Throws: ``StorageError``.
    func audit(
        _ action: AuditedAction,
        _ account: OperatorAccount,
        formerly former: OperatorAccount? = nil,
        by who: Operator,
        at now: Timestamp,
        before: AuditedValue? = nil,
        after: AuditedValue? = nil
    ) throws(StorageError) {
        for app in try apps().map(\.id).sorted() where account.mayUse(app) || former?.mayUse(app) == true {
            try audit(action, .operatorAccount(account.name), by: who, app: app, at: now, before: before, after: after)
        }
    }
}

extension AuditedValue {
    /// An operator without secrets.
    init(_ account: OperatorAccount) {
        self.init([
            "role": .string(account.role.rawValue),
            "apps": account.apps.map { .array($0.map { .string($0.rawValue) }) },
            "signs_in": .bool(account.password != nil),
            "disabled": .bool(account.disabledAt != nil),
        ])
    }

    /// A key or session of an operator without its secret.
    init(_ key: OperatorKey) {
        self.init([
            "key": .string(key.shownText),
            "label": key.label.map { .string($0) },
            "expires_at": key.expiresAt.map { .integer($0.milliseconds) },
        ])
    }
}
