import AppStoreModel
package import SubscriptionCore
package import SubscriptionStorage

/// Reads an app's whole audit log from a database, to check or to export it.
package struct AuditVerification: Sendable {
    private static let pageSize = 1_000

    private let database: any SubscriptionDatabase

    /// Makes the use case.
    package init(database: any SubscriptionDatabase) {
        self.database = database
    }

    /// Checks an app's audit log. Servers may write to it meanwhile.
    ///
    /// - Parameter heads: Entries that the chain must contain.
    /// - Throws: ``StorageError``.
    package func check(_ app: AppID, containing heads: [AuditHead]) async throws(StorageError) -> AuditCheck {
        let stored = try await head(of: app)
        let chainedKey = try await chainedKey(of: app)
        var check = AuditCheck(app, containing: heads + [stored].compactMap(\.self))
        try await forEach(app) { check.check($0) }
        // A chain that began meanwhile has a head now.
        let hasHead = try await head(of: app) != nil
        check.finish(hasEarlier: true, hasHead: hasHead, chainedKey: chainedKey)
        return check
    }

    /// The text of a key that has what no version before the chain stored. Making or rotating it is in the chain.
    private func chainedKey(of app: AppID) async throws(StorageError) -> String? {
        try await database.read { storage throws(StorageError) in
            try storage.apiKeys(of: app).first { key in
                key.scope != .admin || key.expiresAt != nil || key.replacedAt != nil
            }?.shownText
        }
    }

    private func head(of app: AppID) async throws(StorageError) -> AuditHead? {
        try await database.read { storage throws(StorageError) in try storage.auditHead(of: app) }
    }

    /// Passes each entry: those from before the chain, then those of the chain in its order.
    ///
    /// - Parameter sequence: Only entries after this one of the chain; nil for all.
    /// - Throws: ``StorageError``.
    package func forEach(
        _ app: AppID,
        after sequence: Int64? = nil,
        _ body: (AuditEntry) -> Void
    ) async throws(StorageError) {
        if sequence == nil { try await forEachEarlier(app, body) }
        var last = sequence ?? 0
        while true {
            let page = try await database.read { [last] storage throws(StorageError) in
                try storage.auditChain(of: app, after: last, limit: Self.pageSize)
            }
            for entry in page { body(entry) }
            guard let next = page.last?.link?.sequence else { return }
            last = next
        }
    }

    /// Passes the entries from before the chain, newest first.
    private func forEachEarlier(_ app: AppID, _ body: (AuditEntry) -> Void) async throws(StorageError) {
        var last: AuditEntry?
        while true {
            let page = try await database.read { [last] storage throws(StorageError) in
                try storage.auditEntries(of: app, before: last, limit: Self.pageSize)
            }
            for entry in page where entry.link == nil { body(entry) }
            guard page.count == Self.pageSize else { return }
            last = page.last
        }
    }
}

extension AuditCheck {
    /// The newest entry from before the chain, as an entry of the kind `audit.chain_begun` names it.
    static func newestBefore(_ json: String) -> (time: Timestamp, id: String)? {
        guard
            let object = try? JSONParser.parseObject(Array(json.utf8)),
            case .integer(let time)? = object["newest_at"], let id = object["newest_id"]?.stringValue
        else { return nil }
        return (Timestamp(milliseconds: time), id)
    }
}
