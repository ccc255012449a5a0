import AppStoreModel
import SubscriptionCore
import SubscriptionStorage

/// Stores verified facts with their evidence. Every route uses it.
///
/// Evidence, facts, ownership, state and events are committed in one transaction.
struct FactIntake: Sendable {
    /// The result of an input.
    struct Outcome: Hashable, Sendable {
        /// Whether the input is new. Always true for a claim.
        var isNew = true
        /// Why the claiming customer does not have all of the purchases; nil if the customer has.
        var refusal: ClaimRefusal?
        /// The state of the refund request that the input ended without an answer; nil if it ended none.
        var endedRefundRequest: RefundRequest.State?
    }

    let database: any SubscriptionDatabase
    let policy: AccessPolicy
    let time: any TimeSource
    /// Counts the refund requests that end without an answer.
    var consumption = ConsumptionMetrics()

    /// Stores an input.
    ///
    /// - Throws: ``StorageError``; then nothing was changed.
    func take(_ input: VerifiedInput) async throws(StorageError) -> Outcome {
        let outcome = try await database.write { storage throws(StorageError) -> Outcome in
            try storage.expect(input.expected)
            var announcements = AnnouncementBatch()
            let outcome = try store(input, in: storage, with: &announcements)
            try announcements.storeChanges(in: storage)
            return outcome
        }
        count([outcome.endedRefundRequest])
        return outcome
    }

    /// Stores several inputs in one commit; each has the same outcome as alone.
    ///
    /// - Throws: ``StorageError``; then nothing was changed.
    func take(together inputs: [VerifiedInput]) async throws(StorageError) -> [Outcome] {
        try await take(together: inputs) { outcomes, _ throws(StorageError) in outcomes }
    }

    /// Stores several inputs, and what their outcomes mean for something else, in one commit.
    ///
    /// - Parameter finish: Called with the outcomes, in the same transaction.
    /// - Throws: ``StorageError``; then nothing was changed.
    func take<Result: Sendable>(
        together inputs: [VerifiedInput],
        finish: @escaping @Sendable ([Outcome], any StorageWriting) throws(StorageError) -> Result
    ) async throws(StorageError) -> Result {
        let (result, ended) = try await database.write {
            storage throws(StorageError) -> (Result, [RefundRequest.State?]) in
            try storage.expect(inputs.flatMap(\.expected))
            var outcomes: [Outcome] = []
            outcomes.reserveCapacity(inputs.count)
            var announcements = AnnouncementBatch()
            for input in inputs { outcomes.append(try store(input, in: storage, with: &announcements)) }
            try announcements.storeChanges(in: storage)
            return (try finish(outcomes, storage), outcomes.map(\.endedRefundRequest))
        }
        count(ended)
        return result
    }

    /// Counts refund requests after their commit.
    private func count(_ ended: [RefundRequest.State?]) {
        for case let state? in ended { consumption.count(state) }
    }

    /// Claims purchases whose facts are stored.
    ///
    /// - Parameter receipt: The receipt that identified the customer.
    /// - Returns: nil if not all of them are stored; then nothing was changed.
    /// - Throws: ``StorageError``; then nothing was changed.
    func claim(
        _ purchases: [OriginalTransactionID],
        of app: AppID,
        for claimant: Claimant,
        by receipt: ReceiptRecord
    ) async throws(StorageError) -> Outcome? {
        try await database.write { storage throws(StorageError) in
            var facts: [Fact] = []
            for purchase in purchases {
                guard let fact = try storage.ledger(of: purchase, app: app).timeline.first else { return nil }
                facts.append(.transaction(fact))
            }
            let refusal = try update(of: app, in: storage).claim(facts, for: claimant)
            try keep(receipt, of: app, where: refusal, in: storage)
            return Outcome(refusal: refusal)
        }
    }

    private func store(
        _ input: VerifiedInput,
        in storage: any StorageWriting,
        with announcements: inout AnnouncementBatch
    ) throws(StorageError) -> Outcome {
        if case .notification(let notice) = input.origin {
            return try store(notice, of: input, in: storage, with: &announcements)
        }
        // A claim counts even if its input is stored already. Facts that are stored already change nothing.
        for item in input.items { _ = try storage.insert(item.evidence) }
        var update = update(of: input.app, in: storage)
        update.asksForHistory = input.asksForHistory
        update.awaitedHistory = input.awaitedHistory
        guard case .claim(let claimant, let receipt) = input.origin else {
            try join(input, by: update, in: storage)
            return Outcome()
        }
        if claimant.omitsEventsOfNewPurchases { update.recordsEvents = try isAnyKnown(input, in: storage) }
        let (claims, rest) = input.claimsAndRest
        let refusal = try update.claim(claims, for: claimant, joining: rest, predecessors: input.predecessors)
        if let receipt { try keep(receipt, of: input.app, where: refusal, in: storage) }
        return Outcome(refusal: refusal)
    }

    /// Joins the facts of an inquiry. Of a purchase whose past causes no events, the news come first, with events.
    private func join(
        _ input: VerifiedInput,
        by update: PurchaseUpdate,
        in storage: any StorageWriting
    ) throws(StorageError) {
        let predecessors = input.predecessors
        guard case .inquiry(let suppressed?) = input.origin else {
            return try update.join(input.facts, predecessors: predecessors)
        }
        var unknown: Set<OriginalTransactionID> = []
        for purchase in Set(input.facts.map(\.originalID))
        where try storage.ledger(of: purchase, app: input.app) == PurchaseLedger(originalID: purchase) {
            unknown.insert(purchase)
        }
        var (news, quiet, rest): ([Fact], [Fact], [Fact]) = ([], [], [])
        for fact in input.facts {
            if unknown.contains(fact.originalID) {
                quiet.append(fact)
            } else if fact.originalID != suppressed.purchase {
                rest.append(fact)
            } else if suppressed.news.contains(fact.evidence) {
                news.append(fact)
            } else {
                quiet.append(fact)
            }
        }
        var quietUpdate = update
        quietUpdate.recordsEvents = false
        if !news.isEmpty { try update.join(news, predecessors: predecessors) }
        try quietUpdate.join(quiet, predecessors: predecessors)
        try update.join(rest, predecessors: predecessors)
    }

    /// Whether the server has facts about a purchase of an input.
    private func isAnyKnown(_ input: VerifiedInput, in storage: any StorageWriting) throws(StorageError) -> Bool {
        for purchase in Set(input.facts.map(\.originalID)) {
            let ledger = try storage.ledger(of: purchase, app: input.app)
            if ledger != PurchaseLedger(originalID: purchase) { return true }
        }
        return false
    }

    /// Stores the evidence of a notification, counts it if its type is unknown, and joins its facts.
    private func store(
        _ notice: VerifiedInput.Notice,
        of input: VerifiedInput,
        in storage: any StorageWriting,
        with announcements: inout AnnouncementBatch
    ) throws(StorageError) -> Outcome {
        var purchases: [PurchaseRecord]?
        if let id = notice.appTransactionID {
            // A duplicate does not need its purchases, which may be unreadable.
            for item in input.items where try storage.hasEvidence(item.evidence.id, of: item.evidence.appID) {
                return Outcome(isNew: false)
            }
            purchases = try storage.purchases(ofAppTransaction: id, app: input.app)
        }
        for item in input.items {
            var evidence = item.evidence
            // The evidence must be found by its purchase.
            if let first = purchases?.first { evidence.purchaseID = first.id }
            guard try storage.insert(evidence) else { return Outcome(isNew: false) }
            guard !notice.isKnown else { continue }
            try storage.countUnknownNotification(
                evidence.type ?? "",
                evidence.subtype,
                receivedAt: evidence.receivedAt,
                of: evidence.appID
            )
        }
        try storage.noteExtension(in: input, notice, with: &announcements)
        let ended = try storage.noteRefundRequest(in: input, notice)
        var update = update(of: input.app, in: storage)
        update.looksForExtensions = !input.items.contains {
            $0.evidence.type == NotificationType.renewalExtended.rawValue
        }
        if let purchases, let announcement = notice.announcement {
            try update.recordAnnouncement(announcement, owners: purchases)
        } else {
            try update.join(
                input.facts,
                announcement: notice.announcement,
                name: notice.purchaseName,
                predecessors: input.predecessors
            )
        }
        return Outcome(endedRefundRequest: ended?.state)
    }

    /// Stores a receipt that identified its customer. A receipt with another customer's purchases does not.
    private func keep(
        _ receipt: ReceiptRecord,
        of app: AppID,
        where refusal: ClaimRefusal?,
        in storage: any StorageWriting
    ) throws(StorageError) {
        if refusal == nil { try storage.insert(receipt, of: app) }
    }

    private func update(of app: AppID, in storage: any StorageWriting) -> PurchaseUpdate {
        PurchaseUpdate(app: app, time: time, policy: policy, storage: storage)
    }
}
