/// The refunds of one purchase, and the requests for them.
public struct PurchaseRefunds: Hashable, Sendable {
    /// The refunds, also reversed ones, by transaction.
    public var refunds: [Refund]
    /// The requests, by transaction.
    public var requests: [RequestedRefund]

    /// Makes the refunds of a purchase, in any order.
    public init(refunds: [Refund] = [], requests: [RequestedRefund] = []) {
        self.refunds = refunds.sorted { $0.transactionID < $1.transactionID }
        self.requests = requests.sorted { $0.transactionID < $1.transactionID }
    }

    /// Derives them from everything that was signed about a purchase. The order and duplicates do not matter.
    ///
    /// A ledger is not enough: it keeps the newest statement of a transaction, which after a reversal names no refund.
    ///
    /// - Parameters:
    ///   - statements: All statements about its transactions, superseded ones too.
    ///   - announcements: All announcements about it.
    public init(
        of purchase: OriginalTransactionID,
        statements: [TransactionFact],
        announcements: [SubscriptionEvent]
    ) {
        var ledger = PurchaseLedger(originalID: purchase)
        var byTransaction: [TransactionID: [TransactionFact]] = [:]
        for statement in statements where statement.originalID == purchase {
            ledger.join(.transaction(statement))
            byTransaction[statement.id, default: []].append(statement)
        }
        var requests: [TransactionID: RequestedRefund] = [:]
        for request in announcements.compactMap(RequestedRefund.init(_:)) where request.purchaseID == purchase {
            requests[request.transactionID, default: request].join(request)
        }
        self.init(
            refunds: ledger.charges.compactMap { charge in
                let copies =
                    ledger.hasCopies
                    ? ledger.timeline.filter { $0.chargeKey == charge.chargeKey }.map(\.id) : [charge.id]
                return Refund(of: charge.id, by: copies.flatMap { byTransaction[$0] ?? [] })
            },
            requests: Array(requests.values)
        )
    }

    /// Whether there is nothing.
    public var isEmpty: Bool { refunds.isEmpty && requests.isEmpty }
}

extension PurchaseLedger {
    /// Whether the newest statement of a transaction says that it is refunded.
    package var hasRefund: Bool { timeline.contains(where: \.isRefunded) }

    /// The number of charges that the customer paid for. Free periods and shared ones do not count.
    package var paidChargeCount: Int { charges.count { ($0.paid?.milliunits ?? 0) > 0 } }
}
