public import AppStoreModel

extension LocalAppStore {
    /// The maximum length of an order number, in bytes.
    private static let orderIdBytesMax = 64

    /// A customer's download of the app, freshly signed.
    ///
    /// Every account has one from its creation.
    ///
    /// - Source: App Store Server API, Get App Transaction Info.
    /// - Throws: One of `AppStoreServerCall.getAppTransactionInfo.errors`.
    public func appTransactionInfo(
        anyTransactionId: String
    ) throws(AppStoreServerAPIError) -> AppTransactionInfoResponse {
        let payload = appTransactionPayload(of: try customer(of: anyTransactionId))
        return AppTransactionInfoResponse(signedAppTransactionInfo: try signedForAnswer(payload.jsonBytes))
    }

    /// The purchases of an order by its number on Apple's receipt; `nil` outside production, where the call does not
    /// exist.
    ///
    /// - Source: App Store Server API, Look Up Order ID.
    /// - Throws: 4000000 for an invalid order number.
    public mutating func lookUpOrder(_ orderId: String) throws(AppStoreServerAPIError) -> OrderLookupResponse? {
        guard configuration.environment == .production else { return nil }
        let isPlain = orderId.utf8.allSatisfy { (0x30...0x39).contains($0) || (0x41...0x5A).contains($0 & 0xDF) }
        guard isPlain, (1...Self.orderIdBytesMax).contains(orderId.utf8.count) else { throw .generalBadRequest }
        let count = ledger.transactions.count
        guard let position = StoreIdentifier.position(ofOrder: orderId.uppercased(), among: count) else {
            return OrderLookupResponse(status: .invalid)
        }
        let signed = try signedTransaction(LedgerIndex(offset: position))
        return OrderLookupResponse(status: .valid, signedTransactions: [signed])
    }

    /// One page of a customer's refunds, oldest first.
    ///
    /// - Parameters:
    ///   - anyTransactionId: Any transaction of the customer, or the customer's app transaction.
    ///   - revision: The revision of the previous page of the same customer; that of the last page returns later
    ///     refunds.
    /// - Source: App Store Server API, Get Refund History.
    /// - Throws: One of `AppStoreServerCall.getRefundHistory.errors`.
    public mutating func refundHistory(
        anyTransactionId: String,
        revision: String? = nil
    ) throws(AppStoreServerAPIError) -> RefundHistoryResponse {
        let asked = try revision.map { text throws(AppStoreServerAPIError) in
            guard let revision = HistoryRevision(text: text), let position = RefundPosition(position: revision.position)
            else {
                throw .invalidRequestRevision
            }
            return (text: revision, position: position)
        }
        let account = try customer(of: anyTransactionId)
        let scope = ledger[account].appTransactionId
        guard asked?.text.belongs(to: scope) ?? true else { throw .invalidRequestRevision }
        let start = asked?.position
        let refunds = refunds(of: account).filter { refund in
            start.map { $0 < refund } ?? true
        }
        let page = refunds.prefix(RefundHistoryResponse.transactionsMax)
        let reached = page.last ?? start ?? RefundPosition(date: 0, position: 0)
        return RefundHistoryResponse(
            hasMore: refunds.count > page.count,
            revision: HistoryRevision(position: reached.text, scope: scope).text,
            signedTransactions: try signed(page)
        )
    }

    /// A customer's newest refunds, in ascending order.
    ///
    /// - Parameter originalTransactionId: The first transaction of any purchase of the customer.
    /// - Source: App Store Server API, Get Refund History V1.
    /// - Throws: One of `AppStoreServerCall.getRefundHistoryV1.errors`.
    public mutating func refundHistoryV1(
        originalTransactionId: String
    ) throws(AppStoreServerAPIError) -> RefundLookupResponse {
        try IdentifierForm.check(originalTransactionId, orThrow: .invalidOriginalTransactionId)
        guard let index = ledger.transaction(id: originalTransactionId), ledger[index].original == index else {
            throw .originalTransactionIdNotFound
        }
        let newest = refunds(of: ledger[index].account).suffix(RefundLookupResponse.transactionsMax)
        return RefundLookupResponse(signedTransactions: try signed(newest))
    }

    /// The refunds of the App Store, oldest first; a family member's revocation is not a refund.
    private func refunds(of account: LedgerIndex<Account>) -> [RefundPosition] {
        ledger[account].transactions.compactMap { index in
            guard let revocation = ledger[index].revocation,
                [.fullRefund, .proratedRefund].contains(revocation.type)
            else { return nil }
            return RefundPosition(date: revocation.date, position: index.offset)
        }.sorted()
    }

    private mutating func signed(
        _ refunds: some Collection<RefundPosition>
    ) throws(AppStoreServerAPIError) -> [String] {
        var signed: [String] = []
        for refund in refunds { signed.append(try signedTransaction(LedgerIndex(offset: refund.position))) }
        return signed
    }
}

/// The position of a refund in a customer's history: by date, then by transaction.
private struct RefundPosition: Hashable, Comparable {
    private static let prefix = "f1"

    let date: Int64
    let position: Int

    var text: String { "\(Self.prefix)_\(date)_\(position)" }

    init(date: Int64, position: Int) {
        self.date = date
        self.position = position
    }

    /// Parses the position in a revision; `nil` if no store created it.
    init?(position text: String) {
        let parts = text.split(separator: "_", omittingEmptySubsequences: false)
        guard parts.count == 3, parts[0] == Self.prefix, let date = Int64(parts[1]), let position = Int(parts[2]) else {
            return nil
        }
        self.init(date: date, position: position)
        guard self.text == text else { return nil }
    }

    static func < (left: Self, right: Self) -> Bool { (left.date, left.position) < (right.date, right.position) }
}
