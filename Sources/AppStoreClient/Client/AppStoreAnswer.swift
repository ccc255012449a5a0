public import AppStoreModel

/// What a call brought, and who answered; the fields of the value can be read from it directly.
///
/// ```swift
/// let answer = try await app.getTransactionInfo(transactionId: id)
/// let jws = answer.signedTransactionInfo
/// let isSandbox = answer.answeredBy == .sandbox
/// ```
@dynamicMemberLookup
public struct AppStoreAnswer<Value: Sendable>: Sendable {
    /// What was asked for.
    public let value: Value

    /// Which environment answered.
    public let answeredBy: AppStoreEnvironment

    /// The answer as it was received.
    public let response: AppStoreHTTPResponse

    /// How often the call was sent, to all environments together.
    public let attempts: Int

    /// What names the request in Apple's logs, where the answer says it.
    public var requestId: String? { response.requestId }

    /// A field of the value.
    public subscript<Member>(dynamicMember member: KeyPath<Value, Member>) -> Member {
        value[keyPath: member]
    }

    /// Another value of the same answer.
    func replacing<Other>(_ value: Other) -> AppStoreAnswer<Other> {
        AppStoreAnswer<Other>(value: value, answeredBy: answeredBy, response: response, attempts: attempts)
    }
}

extension AppStoreAnswer: Equatable where Value: Equatable {}

/// The value of an answer that has no body.
public struct NoContent: Hashable, Sendable {
    init() {}
}
