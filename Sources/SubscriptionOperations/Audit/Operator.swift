/// Who decides something for an app, and by which request: an audit entry names both.
public struct Operator: Hashable, Sendable {
    /// For people: `key sk_…3f9a`, or the command that was typed.
    public var name: String
    /// The request, as its answer and the log name it; nil for a command.
    public var requestID: String?

    /// Names an operator.
    public init(_ name: String, requestID: String? = nil) {
        self.name = name
        self.requestID = requestID
    }
}
