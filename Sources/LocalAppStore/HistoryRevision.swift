import AppStoreModel

/// Where a page of a history ended, as a text that is good for the question that it was the answer to.
///
/// Apple asks for the same parameters with every page. Whoever changes one on the way, or mixes up two customers, would
/// get a page of something else and never know; here the revision is refused.
struct HistoryRevision: Hashable, Sendable {
    private static let radix = 36

    /// The place, in the words of its history.
    let position: String
    private let digest: String

    /// Names a place in the answers to a question.
    init(position: String, scope: String) {
        self.position = position
        digest = Self.digest(of: position, in: scope)
    }

    /// Reads a revision; `nil` when no store made it.
    init?(text: String) {
        guard let end = text.lastIndex(of: "_") else { return nil }
        position = String(text[..<end])
        digest = String(text[text.index(after: end)...])
    }

    /// What a client is given.
    var text: String { "\(position)_\(digest)" }

    /// Whether it was the answer to a question.
    func belongs(to scope: String) -> Bool { digest == Self.digest(of: position, in: scope) }

    private static func digest(of position: String, in scope: String) -> String {
        String(NotificationHistoryCursor.digest(Array("\(position) \(scope)".utf8)), radix: radix)
    }
}

extension HistoryQuery {
    /// Everything that must be the same for every page: the customer, the filters and the order.
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
