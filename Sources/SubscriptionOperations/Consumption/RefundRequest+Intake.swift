import AppStoreModel
import SubscriptionCore
import SubscriptionStorage

extension StorageWriting {
    /// Adds the refund request of a notification, or notes what Apple decided about one.
    ///
    /// - Source: App Store Server Notifications, CONSUMPTION_REQUEST, REFUND and REFUND_DECLINED.
    /// - Returns: The request that the notification ended without an answer; nil if it ended none.
    /// - Throws: ``StorageError``.
    func noteRefundRequest(
        in input: VerifiedInput,
        _ notice: VerifiedInput.Notice
    ) throws(StorageError) -> RefundRequest? {
        guard let item = input.items.first, let fact = item.transaction else { return nil }
        switch notice.announcement?.kind {
        case .refundRequested, .purchaseRefundRequested:
            let reason = notice.announcement?.details?["reason"]
            return try addRefundRequest(about: fact, reason, by: item, app: input.app)
        case .refundDeclined, .purchaseRefundDeclined:
            return try noteDecision(.declined, on: fact, by: item.evidence, app: input.app)
        default:
            guard item.evidence.type == NotificationType.refund.rawValue else { return nil }
            return try noteDecision(.refunded, on: fact, by: item.evidence, app: input.app)
        }
    }

    /// Adds a request.
    ///
    /// - Returns: The request if there is no time for an answer any more.
    private func addRefundRequest(
        about fact: TransactionFact,
        _ reason: String?,
        by item: VerifiedInput.Item,
        app: AppID
    ) throws(StorageError) -> RefundRequest? {
        var request = RefundRequest(
            id: RefundRequestID(item.evidence.id),
            purchaseID: fact.originalID,
            transactionID: fact.id,
            productID: fact.productID,
            reason: reason,
            requestedAt: item.evidence.signedAt
        )
        request.checkAt = item.evidence.signedAt
        // Apple's decision may have arrived first.
        let known = try ledger(of: fact.originalID, app: app)[fact.id]?.revocation
        if let known, known.kind != .sharingEnded, known.at >= request.requestedAt {
            request.noteDecision(.refunded, at: known.at)
        }
        // One that was recovered too late is listed and counted, and has no event.
        if request.state == .waiting, item.evidence.receivedAt >= request.dueBy {
            request.noteTooLate(at: item.evidence.receivedAt)
        }
        try save(request, of: app)
        return request.state == .waiting ? nil : request
    }

    /// Notes a decision on the newest request about a transaction that has none.
    ///
    /// - Returns: The request if the decision ended it.
    private func noteDecision(
        _ outcome: RefundRequest.Outcome,
        on fact: TransactionFact,
        by evidence: EvidenceRecord,
        app: AppID
    ) throws(StorageError) -> RefundRequest? {
        let time = evidence.signedAt
        let known = try refundRequests(about: fact.originalID, app: app, limit: RefundRequests.listedMax)
        let open = known.first { $0.transactionID == fact.id && $0.outcome == nil && $0.requestedAt <= time }
        guard var request = open else { return nil }
        let wasWaiting = request.state == .waiting
        request.noteDecision(outcome, at: time)
        try save(request, of: app)
        guard wasWaiting else { return nil }
        try recordEnd(of: request, at: evidence.receivedAt, app: app)
        return request
    }
}

extension RefundRequestID {
    /// The UUID of a notification.
    fileprivate init(_ evidence: EvidenceID) {
        let text = evidence.rawValue
        self.init(rawValue: text.split(separator: ":").last.map(String.init) ?? text)
    }
}
