import AppStoreClient
import AppStoreModel
import AppStoreSigning
public import SubscriptionCore
import SubscriptionStorage

extension PurchaseLookup {
    /// Ingests the purchases of an app receipt for a customer.
    ///
    /// The receipt must be signed by the App Store for this app. Its purchase data may be years old and is not used. A
    /// receipt that was looked up a few minutes ago uses the stored facts.
    ///
    /// If it lists no purchase, or one that the App Store Server API does not know, Apple's `/verifyReceipt` is asked
    /// for its transactions, where the developer wants that.
    ///
    /// The customer gets the purchases that the receipt names. The other purchases of the history are stored too.
    ///
    /// - Throws: ``OperationError`` as ``submit(_:claimant:app:permit:)``; the receipt verifier's code;
    ///   `receipt_form_wrong`; `receipt_without_purchases`; `history_too_long`; `overloaded` if too many receipts are
    ///   being claimed; of `/verifyReceipt` `shared_secret_wrong`, `receipt_not_accepted`,
    ///   `receipt_environment_mismatch`, `receipt_account_not_found`.
    public func submit(
        appReceipt: String,
        claimant: Claimant,
        app: AppID,
        permit: some RequestPermit = NoRequestPermit()
    ) async throws(OperationError) {
        let entry = try access.entry(of: app)
        let receipt = try await read(appReceipt, of: app, in: entry.api)
        guard entry.receipts != nil || !receipt.inAppPurchases.isEmpty else { throw .withoutPurchases }
        let key = RecentReceipts.Key(receipt, of: app)
        switch receipts.begin(key, at: time.now()) {
        case .wait: throw .appStoreBusy
        case .refused(let error): throw error
        case .known(let purchases):
            if try await isClaimed(purchases, of: app, by: claimant) { return }
            let record = try receiptRecord(appReceipt, named: key, of: claimant.customer)
            let isDone = try await claims.run(for: app, orThrow: .tooManyClaims) { () throws(OperationError) in
                try await claim(purchases, of: app, for: claimant, by: record)
            }
            if isDone { return }
        case .ask: break
        }
        let record = try receiptRecord(appReceipt, named: key, of: claimant.customer)
        let refusal: ClaimRefusal?
        do {
            let (found, named) = try await purchases(of: receipt, appReceipt, entry, app, permit)
            let claimed = found.only(named)
            refusal = try await commit(claimed, outOf: found, of: app, claimedBy: claimant, by: record)
            receipts.remember(claimed.purchases.sorted(), for: key, at: time.now())
        } catch {
            receipts.remember(error, for: key, at: time.now())
            throw error
        }
        if let refusal { throw OperationError(refusal) }
    }

    /// The history of the customer who has a receipt, and the purchases that the receipt names.
    private func purchases(
        of receipt: AppReceipt,
        _ text: String,
        _ entry: AppStoreAccess.Entry,
        _ app: AppID,
        _ permit: some RequestPermit
    ) async throws(OperationError) -> (found: VerifiedPurchases, named: Set<OriginalTransactionID>) {
        if let first = receipt.inAppPurchases.first {
            let listed = receipt.inAppPurchases.map {
                OriginalTransactionID($0.originalTransactionId ?? $0.transactionId)
            }
            do throws(OperationError) {
                return (try await history(of: first.transactionId, entry, app, permit), Set(listed))
            } catch  where error.code == "transaction_not_found" && entry.receipts != nil {
                // Apple may know other transactions of the receipt.
            }
        }
        guard let inquiry = entry.receipts else { throw .withoutPurchases }
        let named = try await permit.released { () throws(OperationError) in
            try await lookups.run(for: app) { () throws(OperationError) in
                try await inquiry.purchases(in: text, milliseconds: access.limits.lookupMillisecondsMax)
            }
        }
        guard let named else { throw .withoutPurchases }
        return (try await history(of: named.transactionID, entry, app, permit), named.purchases)
    }

    /// The history and the statuses of the customer who has a transaction.
    private func history(
        of transaction: String,
        _ entry: AppStoreAccess.Entry,
        _ app: AppID,
        _ permit: some RequestPermit
    ) async throws(OperationError) -> VerifiedPurchases {
        let queries = PurchaseQueries(api: entry.api, transactionID: transaction, parameter: "app_receipt")
        return try await found(queries, of: app, permit) { queries throws(OperationError) in
            try await queries.history()
        }
    }

    /// The record of a receipt, stored if it identifies the customer.
    private func receiptRecord(
        _ receipt: String,
        named key: RecentReceipts.Key,
        of customer: CustomerID
    ) throws(OperationError) -> ReceiptRecord {
        do {
            return try ReceiptRecord(receipt, named: key, of: customer, receivedAt: time.now())
        } catch {
            throw OperationError(error)
        }
    }

    /// Whether an identifier has already claimed purchases and a new claim would change nothing. It only reads, so a
    /// receipt that is sent repeatedly does not block writes.
    ///
    /// - Throws: The earlier refusal, if the purchases belong to another customer.
    private func isClaimed(
        _ purchases: [OriginalTransactionID],
        of app: AppID,
        by claimant: Claimant
    ) async throws(OperationError) -> Bool {
        let outcome: ClaimOutcome?
        do {
            outcome = try await database.read { storage throws(StorageError) in
                try storage.outcome(ofClaiming: purchases, for: claimant, app: app)
            }
        } catch {
            throw OperationError(error)
        }
        if case .refused(let reason)? = outcome { throw OperationError(reason) }
        return outcome == .claimed
    }

    /// Claims purchases whose facts are stored.
    ///
    /// - Returns: Whether they are stored; otherwise nothing was changed.
    private func claim(
        _ purchases: [OriginalTransactionID],
        of app: AppID,
        for claimant: Claimant,
        by receipt: ReceiptRecord
    ) async throws(OperationError) -> Bool {
        let outcome: FactIntake.Outcome?
        do {
            outcome = try await intake.claim(purchases, of: app, for: claimant, by: receipt)
        } catch {
            throw OperationError(error)
        }
        if let refusal = outcome?.refusal { throw OperationError(refusal) }
        return outcome != nil
    }

    private func read(
        _ text: String,
        of app: AppID,
        in api: AppStoreServerAPIClient.App
    ) async throws(OperationError) -> AppReceipt {
        let verifier = ReceiptVerifier(
            roots: receiptRoots + (scopedReceiptRoots[app] ?? []),
            expecting: ReceiptExpectation(bundleId: api.bundleId, environment: api.choice.environments.first)
        )
        switch metrics.counted(try await reading.verify(text, by: verifier), of: .receipt) {
        case .verified(let receipt): return receipt
        case .refused(let failure):
            if failure.code == .receiptMalformed, ReceiptTransactions.extract(from: text).form == .transactionReceipt {
                throw .isTransactionReceipt
            }
            throw OperationError(
                failure.code.rawValue,
                failure.message,
                kind: .invalidRequest,
                parameter: "app_receipt"
            )
        }
    }
}

extension OperationError {
    fileprivate static let tooManyClaims = OperationError(
        "overloaded",
        "Too many receipts are being claimed at the moment. Send it again.",
        kind: .unavailable
    )

    fileprivate static let isTransactionReceipt = OperationError(
        "receipt_form_wrong",
        "This is an old receipt of one transaction. Send it as transaction_receipt, with a secret key.",
        kind: .invalidRequest,
        parameter: "app_receipt"
    )

    fileprivate static let withoutPurchases = OperationError(
        "receipt_without_purchases",
        "The receipt is genuine but contains no purchase, so there is nothing to submit. Let the customer restore "
            + "purchases in the app.",
        kind: .invalidRequest,
        parameter: "app_receipt"
    )
}
