/// What a person who operates the server may do.
public enum OperatorRole: String, Hashable, Sendable, CaseIterable {
    /// Reads.
    case viewer
    /// Helps one customer at a time.
    case support
    /// Changes many customers, or asks Apple for a change.
    case `operator`
    /// Changes the configuration.
    case admin

    /// The scope of the role's requests.
    public var scope: KeyScope {
        switch self {
        case .viewer: .read
        case .support: .write
        case .operator: .operate
        case .admin: .admin
        }
    }
}
