public import SubscriptionStorage

/// One requirement of the storage contract: a sentence, and code that checks it on an empty database.
public struct ConformanceCheck: Sendable, CustomStringConvertible {
    /// The requirement.
    public let name: String
    private let body: @Sendable (any SubscriptionDatabase) async throws -> Void

    init(_ name: String, _ body: @escaping @Sendable (any SubscriptionDatabase) async throws -> Void) {
        self.name = name
        self.body = body
    }

    /// The requirement.
    public var description: String { name }

    /// Checks the requirement on a new, empty database and closes it.
    ///
    /// - Throws: ``ConformanceFailure`` if the requirement is not met, ``StorageError`` if the engine failed.
    public func run(on makeDatabase: @Sendable () async throws -> any SubscriptionDatabase) async throws {
        let database = try await makeDatabase()
        do {
            try await body(database)
        } catch {
            try await database.close()
            throw error
        }
        try await database.close()
    }
}

/// A requirement that an engine does not meet.
public struct ConformanceFailure: Error, Hashable, Sendable, CustomStringConvertible {
    /// The expected and the actual value.
    public let description: String
}

/// The requirements for every engine. Add new behaviour of storage here first.
public enum StorageConformance {
    /// All checks.
    public static let checks =
        administrationChecks + evidenceChecks + factChecks + manyFactsChecks + claimChecks + purchaseChecks
        + eventChecks + grantChecks + aliasChecks + ownershipChecks + erasureChecks + receiptChecks + expectationChecks
        + transactionChecks + productChecks + clockChecks + tableChecks + rowChecks
}

func expect(_ condition: Bool, _ promise: String) throws(ConformanceFailure) {
    guard condition else { throw ConformanceFailure(description: "Broken: \(promise)") }
}

func expectEqual<Value: Equatable>(
    _ value: Value,
    _ expected: Value,
    _ what: String
) throws(ConformanceFailure) {
    guard value == expected else {
        throw ConformanceFailure(description: "\(what): expected \(expected), but it is \(value)")
    }
}

func expectError<Result>(
    _ code: StorageError.Code,
    _ what: String,
    from work: () async throws -> Result
) async throws {
    do {
        _ = try await work()
    } catch let error as StorageError {
        try expectEqual(error.code, code, what)
        return
    }
    throw ConformanceFailure(description: "\(what): expected \(code.rawValue), but nothing was thrown")
}
