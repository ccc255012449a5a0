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
        let stored = try await database.read { storage throws(StorageError) in try storage.auditHead(of: app) }
        var check = AuditCheck(app, containing: heads + [stored].compactMap(\.self))
        try await forEach(app) { check.check($0) }
        check.finish(hasEarlier: true)
        return check
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
        if sequence == nil {
            let earlier = try await database.read { storage throws(StorageError) in
                var found: [AuditEntry] = []
                _ = try storage.unchainedAuditEntries(of: app) { found.append($0) }
                return found
            }
            for entry in earlier { body(entry) }
        }
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
}

extension AuditCheck {
    /// The number of entries that an entry of the kind `audit.chain_begun` recorded.
    static func entriesBefore(_ json: String) -> Int64? {
        guard
            let object = try? JSONParser.parseObject(Array(json.utf8)),
            case .integer(let count)? = object["entries_before"]
        else { return nil }
        return count
    }
}
