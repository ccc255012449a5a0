public import AppStoreModel

/// The result of a call with its metadata; the fields of the value can be read directly.
///
/// ```swift
/// let answer = try await app.getTransactionInfo(transactionId: id)
/// let jws = answer.signedTransactionInfo
/// let isSandbox = answer.answeredBy == .sandbox
/// ```
@dynamicMemberLookup
public struct AppStoreAnswer<Value: Sendable>: Sendable {
    /// The value.
    public let value: Value

    /// The environment that answered.
    public let answeredBy: AppStoreEnvironment

    /// The answer as it was received.
    public let response: AppStoreHTTPResponse

    /// The number of attempts, in all environments together.
    public let attempts: Int

    /// The request identifier in Apple's logs, if the answer contains it.
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
