import AppStoreModel
import AppStoreSigning
import SubscriptionCore
import SubscriptionIntake
import SubscriptionStorage

/// Verified data about purchases, ready to be joined: the same facts as if the app or a notification had brought them.
struct VerifiedPurchases: Sendable {
    private struct Input: Sendable {
        let evidence: EvidenceRecord
        let fact: Fact
        /// From which other purchase the transaction's goes on.
        let predecessor: OriginalTransactionID?
    }

    private var inputs: [Input] = []
    /// Whether a transaction is of an auto-renewable subscription.
    private(set) var hasSubscriptions = false

    /// Verifies every signature; one that is refused refuses all.
    ///
    /// - Parameter bundleID: Whom the answer was about; renewal records do not say it themselves.
    /// - Throws: ``OperationError`` with the verifier's code, as unavailable: the App Store's answer is not the
    ///   caller's.
    init(
        _ signed: SignedPurchases,
        of app: AppID,
        bundleID: String,
        verifier: SignedDataVerifier,
        metrics: IntakeMetrics,
        time: any TimeSource
    ) throws(OperationError) {
        for bytes in signed.transactions.map({ Array($0.utf8) }) {
            let payload = try Self.verified(metrics.counted(verifier.verifyTransaction(bytes), of: .transaction))
            try Self.check(payload.bundleId, payload.environment, are: app)
            let now = time.now(hearing: Timestamp(milliseconds: payload.signedDate))
            if payload.type == .autoRenewableSubscription { hasSubscriptions = true }
            let evidence = EvidenceRecord(.transaction, bytes, of: app, signedDate: payload.signedDate, receivedAt: now)
            let predecessor = payload.previousOriginalTransactionId.map { OriginalTransactionID($0) }
            add(AppleIntake.fact(of: payload, evidence: evidence.id), evidence, predecessor: predecessor)
        }
        for bytes in signed.renewals.map({ Array($0.utf8) }) {
            let payload = try Self.verified(metrics.counted(verifier.verifyRenewalInfo(bytes), of: .renewal))
            try Self.check(bundleID, payload.environment, are: app)
            let now = time.now(hearing: Timestamp(milliseconds: payload.signedDate))
            let evidence = EvidenceRecord(.renewal, bytes, of: app, signedDate: payload.signedDate, receivedAt: now)
            add(AppleIntake.fact(of: payload, evidence: evidence.id), evidence)
        }
    }

    /// The purchases that the data is about.
    var purchases: Set<OriginalTransactionID> { Set(inputs.map(\.fact.originalID)) }

    /// The purchase that was named first.
    var first: OriginalTransactionID? { inputs.first?.fact.originalID }

    /// Only what is about some purchases.
    func only(_ purchases: Set<OriginalTransactionID>) -> VerifiedPurchases {
        var few = self
        few.inputs.removeAll { !purchases.contains($0.fact.originalID) }
        return few
    }

    /// Adds other data.
    mutating func merge(_ other: VerifiedPurchases) {
        inputs += other.inputs
        hasSubscriptions = hasSubscriptions || other.hasSubscriptions
    }

    /// Keeps the evidence and joins the facts; a customer, where one is named, claims each purchase first.
    ///
    /// - Returns: Why the customer does not have every purchase then; nil where the customer has, and where none is
    ///   named.
    /// - Throws: ``StorageError``.
    func join(
        with update: PurchaseUpdate,
        claimedBy claimant: Claimant? = nil
    ) throws(StorageError) -> ClaimRefusal? {
        try update.storage.expect(expected(claimedBy: claimant))
        for input in inputs { _ = try update.storage.insert(input.evidence) }
        let predecessors = Dictionary(
            inputs.compactMap { input in input.predecessor.map { (input.fact.originalID, $0) } },
            uniquingKeysWith: { first, _ in first }
        )
        var rest = inputs.map(\.fact)
        guard let claimant else {
            try update.join(rest, predecessors: predecessors)
            return nil
        }
        // The first transaction of each purchase claims it.
        var first: [OriginalTransactionID: Fact] = [:]
        var others: [Fact] = []
        for fact in rest {
            if fact.isTransaction, first[fact.originalID] == nil {
                first[fact.originalID] = fact
            } else {
                others.append(fact)
            }
        }
        rest = others
        let claims = first.sorted { $0.key < $1.key }.map(\.value)
        return try update.claim(claims, for: claimant, joining: rest, predecessors: predecessors)
    }

    /// What joining touches.
    private func expected(claimedBy claimant: Claimant?) -> [ExpectedWork] {
        inputs.map { input in
            ExpectedWork(
                evidence: input.evidence,
                purchases: [input.fact.originalID] + [input.predecessor].compactMap(\.self),
                customers: [claimant?.customer, input.fact.namedCustomer].compactMap(\.self),
                isClaim: claimant != nil
            )
        }
    }

    private mutating func add(
        _ fact: Fact,
        _ evidence: EvidenceRecord,
        predecessor: OriginalTransactionID? = nil
    ) {
        var evidence = evidence
        evidence.purchaseID = fact.originalID
        inputs.append(Input(evidence: evidence, fact: fact, predecessor: predecessor))
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

extension Fact {
    fileprivate var isTransaction: Bool {
        if case .transaction = self { true } else { false }
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
