/// The operator of an action and the request, for the audit log.
public struct Operator: Hashable, Sendable {
    /// For people: `key sk_…3f9a`, or the command.
    public var name: String
    /// The request identifier, as in the response and the log; nil for a command.
    public var requestID: String?
    /// An identifier of the key, from which it cannot be found; nil for a command. Two keys may have the same name.
    public var keyID: String?

    /// Makes an operator.
    public init(_ name: String, requestID: String? = nil, keyID: String? = nil) {
        self.name = name
        self.requestID = requestID
        self.keyID = keyID
    }
}
