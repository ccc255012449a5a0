public import SubscriptionCore
public import SubscriptionStorage

/// Reads an app's audit log. It writes nothing.
public struct AuditReading: Sendable {
    private let database: any SubscriptionDatabase

    /// Makes the use case.
    public init(database: any SubscriptionDatabase) {
        self.database = database
    }

    /// The entries, newest first.
    ///
    /// - Parameters:
    ///   - target: The object of the actions, such as `customer:u_42`; nil for all.
    ///   - last: The last entry of the previous page; nil for the first page.
    /// - Throws: ``OperationError`` `audit_entry_not_found` for an unknown `last`, or storage's codes.
    public func entries(
        of app: AppID,
        about target: String? = nil,
        before last: AuditEntryID? = nil,
        limit: Int
    ) async throws(OperationError) -> [AuditEntry] {
        let result: Result<[AuditEntry], OperationError>
        do {
            result = try await database.read { storage throws(StorageError) in
                var start: AuditEntry?
                if let last {
                    start = try storage.auditEntry(last, of: app)
                    guard start != nil else { return .failure(.auditEntryNotFound) }
                }
                return .success(try storage.auditEntries(of: app, about: target, before: start, limit: limit))
            }
        } catch {
            throw OperationError(error)
        }
        return try result.get()
    }
}

extension OperationError {
    fileprivate static let auditEntryNotFound = OperationError(
        "audit_entry_not_found",
        "There is no such audit entry. after must be a next_cursor of an earlier answer.",
        kind: .notFound,
        parameter: "after"
    )
}
