/// A root certificate that is trusted for some apps only, for example a local store's.
public struct ScopedRoot: Hashable, Sendable {
    /// The root.
    public let root: TrustedRoot

    /// The apps, each in one environment; their Apple IDs are not compared.
    public let apps: [AppIdentity]

    /// Limits a root to apps.
    public init(_ root: TrustedRoot, for apps: [AppIdentity]) {
        self.root = root
        self.apps = apps
    }
}
