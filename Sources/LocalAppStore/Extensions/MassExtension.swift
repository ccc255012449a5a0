import AppStoreModel

/// An order to extend the renewal dates of all active subscribers to a product.
struct MassExtension: Hashable, Sendable, Codable {
    /// The maximum number of steps of an order.
    static let stepsMax = 12

    /// An order in progress.
    struct Run: Hashable, Sendable, Codable {
        /// When it started, milliseconds since 1970.
        let startedAt: Int64
        /// The subscriptions at its start, in the order of extension.
        let subscriptions: [LedgerIndex<Subscription>]
        /// The subscriptions that were attempted or skipped.
        var done = 0
        /// The number of completed steps.
        var steps = 0
        var succeeded: Int64 = 0
        var failed: Int64 = 0
        /// When the last step was done, milliseconds since 1970; absent until then.
        var completedAt: Int64?

        /// The number of steps.
        var stepCount: Int { max(1, min(subscriptions.count, MassExtension.stepsMax)) }

        /// The number of processed subscriptions after the next step.
        var nextEnd: Int { subscriptions.count * (steps + 1) / stepCount }
    }

    let requestIdentifier: String
    let productId: String
    let days: Int32
    /// ISO 3166-1 alpha-3; absent for all storefronts.
    let storefronts: [String]?
    /// Absent before the start.
    var run: Run?
}

/// All accepted mass extensions, oldest first.
struct MassExtensionLog: Sendable, Codable {
    private(set) var extensions: [MassExtension] = []
    private var positions: [String: Int] = [:]

    /// The keys of the store's file.
    private enum CodingKeys: String, CodingKey {
        case extensions
        case positions = "places"
    }

    subscript(position: Int) -> MassExtension {
        get { extensions[position] }
        set { extensions[position] = newValue }
    }

    func position(of requestIdentifier: String) -> Int? { positions[requestIdentifier] }

    /// Adds an order with a new identifier, and returns its position.
    mutating func append(_ massExtension: MassExtension) -> Int {
        positions[massExtension.requestIdentifier] = extensions.count
        extensions.append(massExtension)
        return extensions.count - 1
    }
}
