import AppStoreModel

/// An order to extend the renewal dates of everybody who is subscribed to a product.
struct MassExtension: Hashable, Sendable, Codable {
    /// The most instants over which an order is spread.
    static let stepsMax = 12

    /// An order that is being carried out.
    struct Run: Hashable, Sendable, Codable {
        /// When it began, milliseconds since 1970.
        let startedAt: Int64
        /// Whom it was for at its beginning, in the order in which they are extended.
        let subscriptions: [LedgerIndex<Subscription>]
        /// The subscriptions that were attempted or passed over.
        var done = 0
        /// The steps that were made.
        var steps = 0
        var succeeded: Int64 = 0
        var failed: Int64 = 0
        /// When the last one was done, milliseconds since 1970; absent until then.
        var completedAt: Int64?

        /// In how many steps it is carried out.
        var stepCount: Int { max(1, min(subscriptions.count, MassExtension.stepsMax)) }

        /// How many of the subscriptions are done after the next step.
        var nextEnd: Int { subscriptions.count * (steps + 1) / stepCount }
    }

    let requestIdentifier: String
    let productId: String
    let days: Int32
    /// ISO 3166-1 alpha-3; absent for all storefronts.
    let storefronts: [String]?
    /// Absent while it waits.
    var run: Run?
}

/// Every mass extension that was accepted, oldest first.
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

    /// Adds an order whose identifier is new, and says where it lies.
    mutating func append(_ massExtension: MassExtension) -> Int {
        positions[massExtension.requestIdentifier] = extensions.count
        extensions.append(massExtension)
        return extensions.count - 1
    }
}
