public import SubscriptionCore
public import SubscriptionStorage

/// Changes which products give which entitlement.
public struct EntitlementAdministration: Sendable {
    private let database: any SubscriptionDatabase

    /// Makes the use case.
    public init(database: any SubscriptionDatabase) {
        self.database = database
    }

    /// Adds or replaces a definition. Answers follow it at once, for purchases made before too.
    ///
    /// - Throws: ``OperationError`` with storage's codes.
    public func define(_ definition: EntitlementDefinition, app: AppID) async throws(OperationError) {
        do {
            try await database.write { storage throws(StorageError) in try storage.save(definition, of: app) }
        } catch {
            throw OperationError(error)
        }
    }
}
