/// How people sign in.
public struct OperatorSettings: Hashable, Sendable {
    /// How long a session lasts, in milliseconds.
    public var sessionMilliseconds: Int64

    /// Makes settings; by default a session lasts twelve hours.
    public init(sessionMilliseconds: Int64 = 43_200_000) { self.sessionMilliseconds = sessionMilliseconds }
}
