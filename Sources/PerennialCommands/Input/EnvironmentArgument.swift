import AppStoreModel
import ArgumentParser

/// One of Apple's environments on the command line, in lower case or in the form of payloads.
struct EnvironmentArgument: ExpressibleByArgument, Hashable {
    private static let names: [(name: String, environment: AppStoreEnvironment)] = [
        ("sandbox", .sandbox),
        ("production", .production),
        ("xcode", .xcode),
        ("local_testing", .localTesting),
    ]

    static var allValueStrings: [String] { names.map(\.name) }

    /// The environment in the form of payloads.
    let environment: AppStoreEnvironment

    init?(argument: String) {
        let found = Self.names.first { argument == $0.name || argument == $0.environment.rawValue }
        guard let found else { return nil }
        environment = found.environment
    }
}
