public import AppStoreModel

/// Where reading in pages goes on: Apple's revision or pagination token, and the environment that gave it.
///
/// Keep its ``text``, and read on from there after a restart.
public struct PageCursor: Hashable, Sendable {
    /// Which environment gave the token; only it understands the token.
    public let environment: AppStoreEnvironment

    /// Apple's `revision` or `paginationToken`.
    public let token: String

    /// Makes a cursor.
    public init(environment: AppStoreEnvironment, token: String) {
        self.environment = environment
        self.token = token
    }

    /// Reads a cursor from its ``text``; nil when there is no colon with something on either side.
    public init?(text: String) {
        let parts = text.split(separator: ":", maxSplits: 1)
        guard parts.count == 2 else { return nil }
        self.init(environment: AppStoreEnvironment(rawValue: String(parts[0])), token: String(parts[1]))
    }

    /// The cursor as one line: the environment, a colon, and the token.
    public var text: String { "\(environment):\(token)" }
}
