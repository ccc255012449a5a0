import SubscriptionCore
import SubscriptionStorage

/// Compares the owners and sharers of a page of purchases with the stored claims and the signed account tokens.
///
/// What an operator or an erasure decided has no evidence: it counts as stored.
struct OwnerComparison {
    private let app: AppID
    private let policy: AccessPolicy
    private let storage: any StorageReading
    /// The customers of the page's identifiers that are aliases.
    private let customers: [CustomerID: CustomerID]

    /// Reads the aliases of the page at once.
    ///
    /// - Throws: ``StorageError``.
    init(
        _ page: [PurchaseRow],
        app: AppID,
        policy: AccessPolicy,
        storage: any StorageReading
    ) throws(StorageError) {
        self.app = app
        self.policy = policy
        self.storage = storage
        var names: Set<CustomerID> = []
        for row in page {
            for claim in row.claims { names.insert(claim.customerID) }
            if let token = row.ledger.accountToken { names.insert(CustomerID(token)) }
        }
        customers = try storage.customers(for: names, app: app)
    }

    /// - Throws: ``StorageError``.
    func compare(_ row: PurchaseRow) throws(StorageError) -> RebuildDifference? {
        guard let record = row.record else { return nil }
        let stored = PurchaseOwnership(owner: record.customerID, basis: record.claim, sharers: row.sharers)
        let ownership: PurchaseOwnership?
        do throws(StorageError) {
            ownership = try derived(row, record)
        } catch {
            // The pass over the inputs reports it.
            guard error.code == .corrupt else { throw error }
            return nil
        }
        guard let derived = ownership, !derived.hasSameCustomers(as: stored) else { return nil }
        return RebuildDifference(.ownerDiffers, row.id, stored: stored.text, derived: derived.text)
    }

    /// The ownership by evidence; nil if it does not follow from evidence.
    ///
    /// - Parameters:
    ///   - isLost: Whether the stored owner was lost; then claims decide in any case.
    ///   - readsInputs: Whether the signed inputs about the purchase may be read. Some claims need them.
    /// - Throws: ``StorageError``.
    func derived(
        _ row: PurchaseRow,
        _ record: PurchaseRecord,
        isLost: Bool = false,
        readsInputs: Bool = true
    ) throws(StorageError) -> PurchaseOwnership? {
        let token = row.ledger.accountToken.map { customer(of: CustomerID($0)) }
        switch isLost && !row.claims.isEmpty ? .submitted : record.claim {
        case .erased, .transferred: return nil
        case nil, .accountToken:
            // The token of a predecessor may have decided, and it is not in these facts.
            guard let token, row.claims.isEmpty else { return nil }
            return PurchaseOwnership(owner: token, basis: .accountToken)
        case .submitted, .contested, .shared:
            guard !row.claims.isEmpty else { return nil }
            let claims = row.claims.map(\.claim)
            let evaluation: ClaimedOwnership
            if let open = ClaimedOwnership(claims: claims, customers: customers, token: token) {
                evaluation = open
            } else {
                guard readsInputs else { return nil }
                evaluation = try storage.evaluate(row.claims, on: row.id, app: app, policy: policy).ownership
            }
            return isLost
                ? evaluation.ownership
                : evaluation.ownership(ofPurchaseOwnedBy: record.customerID, on: record.claim)
        }
    }

    private func customer(of name: CustomerID) -> CustomerID { customers[name, default: name] }
}

extension PurchaseOwnership {
    /// Owner and sharers, for people; nil without any.
    fileprivate var text: String? {
        let sharers = others.sorted()
        let owner = owner.map { "owner \($0)" }
        guard !sharers.isEmpty else { return owner }
        return "\(owner ?? "no owner"), shared with \(sharers.map(\.rawValue).joined(separator: ", "))"
    }
}
