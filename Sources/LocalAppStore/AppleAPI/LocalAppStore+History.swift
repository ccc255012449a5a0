public import AppStoreModel

extension LocalAppStore {
    /// The maximum number of transactions per page.
    ///
    /// - Source: App Store Server API, Get Transaction History.
    private static let historyPageLength = 20

    /// One page of a customer's transactions, in the order of their last modification.
    ///
    /// The `revision` of a page marks its end. A later call with it returns what follows, even long after the last
    /// page.
    ///
    /// - Parameters:
    ///   - anyTransactionId: Any transaction of the customer, or the customer's app transaction.
    ///   - query: Filters, order and page; all except the revision must be equal for every page.
    ///   - includesFinishedConsumables: `false` as in version 1, which omits them unless they were refunded.
    /// - Source: App Store Server API, Get Transaction History.
    /// - Throws: One of `AppStoreServerCall.getTransactionHistory.errors`.
    public mutating func transactionHistory(
        anyTransactionId: String,
        query: HistoryQuery = HistoryQuery(),
        includesFinishedConsumables: Bool = true
    ) throws(AppStoreServerAPIError) -> HistoryResponse {
        let revision = try query.revision.map(Self.revision)
        let account = try customer(of: anyTransactionId)
        let scope = query.scope(of: ledger[account])
        guard revision?.text.belongs(to: scope) ?? true else { throw .invalidRequestRevision }
        let start = revision?.position
        let isAscending = query.sort != .descending
        let matching = ledger[account].transactions
            .filter { query.matches(ledger[$0]) && (includesFinishedConsumables || !isFinishedConsumable($0)) }
            .filter { index in
                guard let start else { return true }
                let position = ledger[index].modification
                return isAscending ? position > start : position < start
            }
            .sorted { left, right in
                let isBefore = ledger[left].modification < ledger[right].modification
                return isBefore == isAscending
            }
        let page = matching.prefix(Self.historyPageLength)
        var signed: [String] = []
        for index in page { signed.append(try signedTransaction(index)) }
        let reached = page.last.map { ledger[$0].modification } ?? start ?? 0
        return HistoryResponse(
            revision: HistoryRevision(position: "\(Self.revisionPrefix)\(reached)", scope: scope).text,
            hasMore: matching.count > page.count,
            bundleId: configuration.bundleId,
            environment: configuration.environment,
            signedTransactions: signed,
            appAppleId: publishedAppAppleId
        )
    }

    /// Whether version 1 of the history omits a transaction.
    private func isFinishedConsumable(_ index: LedgerIndex<Transaction>) -> Bool {
        let transaction = ledger[index]
        return transaction.type == .consumable && transaction.revocation == nil && ledger.finished.contains(index)
    }

    /// The position that a page reached.
    private static func revision(
        _ text: String
    ) throws(AppStoreServerAPIError) -> (text: HistoryRevision, position: Int) {
        guard let revision = HistoryRevision(text: text), revision.position.hasPrefix(revisionPrefix),
            let position = Int(revision.position.dropFirst(revisionPrefix.count)), position >= 0
        else { throw .invalidRequestRevision }
        return (revision, position)
    }

    private static let revisionPrefix = "r1_"
}

extension HistoryQuery {
    /// Whether a transaction matches all filters.
    func matches(_ transaction: Transaction) -> Bool {
        if let startDate, transaction.purchaseDate < startDate { return false }
        if let endDate, transaction.purchaseDate >= endDate { return false }
        if !productIds.isEmpty, !productIds.contains(transaction.productId) { return false }
        if !productTypes.isEmpty, !productTypes.contains(transaction.type.historyType) { return false }
        if !subscriptionGroupIdentifiers.isEmpty {
            guard let groupId = transaction.groupId, subscriptionGroupIdentifiers.contains(groupId) else {
                return false
            }
        }
        if let inAppOwnershipType, inAppOwnershipType != transaction.ownership { return false }
        if let revoked, revoked != (transaction.revocation != nil) { return false }
        return true
    }
}

extension ProductType {
    /// The product type in the notation of the history's filter.
    fileprivate var historyType: HistoryProductType {
        switch self {
        case .autoRenewableSubscription: .autoRenewable
        case .nonRenewingSubscription: .nonRenewable
        case .consumable: .consumable
        default: .nonConsumable
        }
    }
}
