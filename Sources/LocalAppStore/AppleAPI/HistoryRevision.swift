import AppStoreModel

/// The end of a history page, as a text that is valid only for the same query.
///
/// Apple requires the same parameters for every page. A changed parameter, or another customer, would return wrong data
/// unnoticed; this store refuses the revision.
struct HistoryRevision: Hashable, Sendable {
    private static let radix = 36

    /// The position, in the notation of its history.
    let position: String
    private let digest: String

    /// Encodes a position in the results of a query.
    init(position: String, scope: String) {
        self.position = position
        digest = Self.digest(of: position, in: scope)
    }

    /// Parses a revision; `nil` if no store created it.
    init?(text: String) {
        guard let end = text.lastIndex(of: "_") else { return nil }
        position = String(text[..<end])
        digest = String(text[text.index(after: end)...])
    }

    /// The text for the client.
    var text: String { "\(position)_\(digest)" }

    /// Whether it belongs to a query.
    func belongs(to scope: String) -> Bool { digest == Self.digest(of: position, in: scope) }

    private static func digest(of position: String, in scope: String) -> String {
        String(NotificationHistoryCursor.digest(Array("\(position) \(scope)".utf8)), radix: radix)
    }
}

extension HistoryQuery {
    /// All parameters that must be equal for every page: the customer, the filters and the order.
    func scope(of account: Account) -> String {
        let parts: [String] = [
            account.appTransactionId, startDate.map(String.init) ?? "", endDate.map(String.init) ?? "",
            productIds.sorted().debugDescription, productTypes.map(\.rawValue).sorted().debugDescription,
            subscriptionGroupIdentifiers.sorted().debugDescription, inAppOwnershipType?.rawValue ?? "",
            revoked.map(String.init) ?? "", sort.rawValue,
        ]
        return parts.joined(separator: " ")
    }
}
