public import AppStoreModel

/// A position in a paged history: Apple's revision or pagination token, and its environment.
///
/// Store its ``text``, and continue from it after a restart.
public struct PageCursor: Hashable, Sendable {
    /// The environment that issued the token, and the only one that accepts it.
    public let environment: AppStoreEnvironment

    /// Apple's `revision` or `paginationToken`.
    public let token: String

    /// Makes a cursor.
    public init(environment: AppStoreEnvironment, token: String) {
        self.environment = environment
        self.token = token
    }

    /// Parses a cursor from its ``text``; nil without a colon between two non-empty parts.
    public init?(text: String) {
        let parts = text.split(separator: ":", maxSplits: 1)
        guard parts.count == 2 else { return nil }
        self.init(environment: AppStoreEnvironment(rawValue: String(parts[0])), token: String(parts[1]))
    }

    /// The cursor as one line: the environment, a colon, and the token.
    public var text: String { "\(environment):\(token)" }
}
