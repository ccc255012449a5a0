import SubscriptionCore
import SubscriptionStorage

/// What was known of a purchase at instants of the past, by what was signed until then.
///
/// Its inputs are read once, and joined once where the instants come in order of time.
struct PurchasePast {
    private let purchase: OriginalTransactionID
    private let policy: AccessPolicy
    /// In the order in which they were signed.
    private var inputs: [(signedAt: Timestamp, facts: [Fact])] = []
    private var ledger: PurchaseLedger
    /// How many inputs the ledger has, and until when.
    private var joined = 0
    private var end: Timestamp?

    /// Reads a purchase's inputs.
    ///
    /// - Throws: ``StorageError``.
    init(
        of purchase: OriginalTransactionID,
        app: AppID,
        policy: AccessPolicy,
        storage: any StorageReading
    ) throws(StorageError) {
        self.purchase = purchase
        self.policy = policy
        ledger = PurchaseLedger(originalID: purchase)
        for input in try PurchaseHistory.inputs(about: purchase, app: app, storage: storage) {
            inputs.append((input.signedAt, try KeptEvidence(input).facts))
        }
    }

    /// Whether the purchase gave access at an instant.
    mutating func gaveAccess(at instant: Timestamp) -> Bool {
        if let end, instant < end {
            ledger = PurchaseLedger(originalID: purchase)
            joined = 0
        }
        end = instant
        while joined < inputs.count, inputs[joined].signedAt <= instant {
            for fact in inputs[joined].facts { ledger.join(fact) }
            joined += 1
        }
        return ledger.state(at: instant, policy: policy)?.givesAccess ?? false
    }
}
