/// A root certificate that is trusted for some apps only, such as a local store's.
public struct ScopedRoot: Hashable, Sendable {
    /// The root.
    public let root: TrustedRoot

    /// The apps, each in the environment that is named; their numbers are not compared.
    public let apps: [AppIdentity]

    /// Limits a root to apps.
    public init(_ root: TrustedRoot, for apps: [AppIdentity]) {
        self.root = root
        self.apps = apps
    }
}
