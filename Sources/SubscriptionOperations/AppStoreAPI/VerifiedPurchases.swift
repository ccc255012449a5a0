import AppStoreModel
import AppStoreSigning
import SubscriptionCore
import SubscriptionIntake
import SubscriptionStorage

/// Verified data about purchases, ready to be joined like facts from an app or a notification.
struct VerifiedPurchases: Sendable {
    private var items: [VerifiedInput.Item] = []
    /// Whether a transaction is of an auto-renewable subscription.
    private(set) var hasSubscriptions = false
    /// Whether the whole history of the store account is part of it.
    private(set) var isWholeHistory = false
    /// The purchases of the first answer, without those that were merged later.
    private(set) var identified: Set<OriginalTransactionID> = []

    /// Verifies every signature; one refusal refuses all.
    ///
    /// - Parameters:
    ///   - bundleID: The app of the response; renewal records do not contain it.
    ///   - skipsRefused: Whether transactions whose signature is refused are left out, as long as another one is
    ///     verified. The metrics count them by reason, and the rest is no whole history.
    /// - Throws: ``OperationError`` with the verifier's code, as `unavailable`, because the caller did not send the
    ///   data.
    init(
        _ signed: SignedPurchases,
        of app: AppID,
        bundleID: String,
        verifier: SignedDataVerifier,
        metrics: IntakeMetrics,
        time: any TimeSource,
        skipsRefused: Bool = false
    ) throws(OperationError) {
        var refusal: OperationError?
        for bytes in signed.transactions.map({ Array($0.utf8) }) {
            let payload: JWSTransactionDecodedPayload
            do throws(OperationError) {
                payload = try Self.verified(metrics.counted(verifier.verifyTransaction(bytes), of: .transaction))
            } catch {
                guard skipsRefused else { throw error }
                refusal = refusal ?? error
                continue
            }
            try Self.check(payload.bundleId, payload.environment, are: app)
            let now = time.now(receiving: Timestamp(milliseconds: payload.signedDate))
            if payload.type == .autoRenewableSubscription { hasSubscriptions = true }
            let evidence = EvidenceRecord(.transaction, bytes, of: app, signedDate: payload.signedDate, receivedAt: now)
            let predecessor = payload.previousOriginalTransactionId.map { OriginalTransactionID($0) }
            add(AppleIntake.fact(of: payload, evidence: evidence.id), evidence, predecessor: predecessor)
        }
        for bytes in signed.renewals.map({ Array($0.utf8) }) {
            let payload = try Self.verified(metrics.counted(verifier.verifyRenewalInfo(bytes), of: .renewal))
            try Self.check(bundleID, payload.environment, are: app)
            let now = time.now(receiving: Timestamp(milliseconds: payload.signedDate))
            let evidence = EvidenceRecord(.renewal, bytes, of: app, signedDate: payload.signedDate, receivedAt: now)
            add(AppleIntake.fact(of: payload, evidence: evidence.id), evidence)
        }
        if let refusal, items.isEmpty { throw refusal }
        identified = purchases
        isWholeHistory = signed.isWholeHistory && refusal == nil
    }

    /// The purchases that the data is about.
    var purchases: Set<OriginalTransactionID> { Set(items.flatMap(\.facts).map(\.originalID)) }

    /// The transactions, in Apple's order.
    var transactions: [TransactionFact] {
        items.flatMap(\.facts).compactMap { if case .transaction(let fact) = $0 { fact } else { nil } }
    }

    /// The signed inputs.
    var evidence: Set<EvidenceID> { Set(items.map(\.evidence.id)) }

    /// The first purchase.
    var first: OriginalTransactionID? { items.first?.facts.first?.originalID }

    /// Only the data about some purchases.
    func only(_ purchases: Set<OriginalTransactionID>) -> VerifiedPurchases {
        var few = self
        few.items.removeAll { item in !item.facts.contains { purchases.contains($0.originalID) } }
        return few
    }

    /// Adds other data.
    mutating func merge(_ other: VerifiedPurchases) {
        items += other.items
        hasSubscriptions = hasSubscriptions || other.hasSubscriptions
        isWholeHistory = isWholeHistory || other.isWholeHistory
    }

    /// The data as an input of the intake; a claimant, if there is one, claims each purchase.
    ///
    /// - Parameter receipt: The receipt that identified the customer.
    func input(of app: AppID, claimedBy claimant: Claimant?, by receipt: ReceiptRecord?) -> VerifiedInput {
        let origin = claimant.map { VerifiedInput.Origin.claim($0, receipt: receipt) } ?? .inquiry()
        return VerifiedInput(app: app, items: items, origin: origin, asksForHistory: !isWholeHistory)
    }

    /// The data as the answer to a poll.
    ///
    /// - Parameters:
    ///   - suppressed: What causes no events; nil if everything causes some.
    ///   - awaited: The purchase whose history is asked for in any case.
    func answer(
        of app: AppID,
        suppressed: VerifiedInput.SuppressedEvents?,
        awaitedHistory awaited: OriginalTransactionID?
    ) -> VerifiedInput {
        VerifiedInput(
            app: app,
            items: items,
            origin: .inquiry(suppressed: suppressed),
            asksForHistory: !isWholeHistory,
            awaitedHistory: awaited
        )
    }

    private mutating func add(
        _ fact: Fact,
        _ evidence: EvidenceRecord,
        predecessor: OriginalTransactionID? = nil
    ) {
        var evidence = evidence
        evidence.purchaseID = fact.originalID
        items.append(VerifiedInput.Item(evidence: evidence, facts: [fact], predecessor: predecessor))
    }

    private static func check(
        _ bundleID: String,
        _ environment: AppStoreEnvironment,
        are app: AppID
    ) throws(OperationError) {
        guard
            let environment = AppleIntake.environment(environment),
            AppID(bundleID: bundleID, environment: environment) == app
        else { throw .ofAnotherApp }
    }

    private static func verified<Payload>(_ verification: Verification<Payload>) throws(OperationError) -> Payload {
        switch verification {
        case .verified(let payload): return payload
        case .refused(let failure):
            throw OperationError(
                failure.code.rawValue,
                failure.message,
                kind: .unavailable,
                detail: failure.unreadable
            )
        }
    }
}

extension OperationError {
    fileprivate static let ofAnotherApp = OperationError(
        "transaction_of_another_app",
        "The App Store's answer is about another app or environment than was asked for.",
        kind: .unavailable,
        isRetryable: false
    )
}
