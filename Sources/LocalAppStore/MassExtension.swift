import AppStoreModel

/// An order to extend the renewal dates of everybody who is subscribed to a product.
struct MassExtension: Hashable, Sendable, Codable {
    /// What became of it.
    struct Outcome: Hashable, Sendable, Codable {
        /// When it was carried out, milliseconds since 1970.
        let date: Int64
        var succeeded: Int64 = 0
        var failed: Int64 = 0
    }

    let requestIdentifier: String
    let productId: String
    let days: Int32
    /// ISO 3166-1 alpha-3; absent for all storefronts.
    let storefronts: [String]?
    /// Absent while it waits.
    var outcome: Outcome?
}

/// Every mass extension that was accepted, oldest first.
struct MassExtensionLog: Sendable, Codable {
    private(set) var extensions: [MassExtension] = []
    private var places: [String: Int] = [:]

    subscript(place: Int) -> MassExtension {
        get { extensions[place] }
        set { extensions[place] = newValue }
    }

    func place(of requestIdentifier: String) -> Int? { places[requestIdentifier] }

    /// Adds an order whose identifier is new, and says where it lies.
    mutating func append(_ massExtension: MassExtension) -> Int {
        places[massExtension.requestIdentifier] = extensions.count
        extensions.append(massExtension)
        return extensions.count - 1
    }
}
