import AppStoreModel

/// The renewal terms of a multiseat subscription.
struct SeatPlan: Hashable, Sendable, Codable {
    /// The seats of the next period.
    var renewalQuantity: Int
    /// Who invites the members.
    let invitationManagement: InvitationManagement
    /// The seats that the developer has assigned, oldest first.
    var claims: [String] = []
    /// The accounts to which Apple has assigned a seat, oldest first.
    var members: [LedgerIndex<Account>] = []
}

/// The multiseat subscriptions and their sales.
struct SeatLedger: Sendable, Codable {
    fileprivate(set) var plans: [LedgerIndex<Subscription>: SeatPlan] = [:]
    /// The transactions that sold seats, with the number of refunded seats.
    fileprivate(set) var revokedSeats: [LedgerIndex<Transaction>: Int] = [:]

    /// Sets the seats that the developer has assigned; no payload has them.
    mutating func setClaims(_ claims: [String], of subscription: LedgerIndex<Subscription>) {
        plans[subscription]?.claims = claims
    }

    /// Sets the accounts with a seat; no payload has them.
    mutating func setMembers(_ members: [LedgerIndex<Account>], of subscription: LedgerIndex<Subscription>) {
        plans[subscription]?.members = members
    }
}

extension Ledger {
    /// The renewal terms of a multiseat subscription.
    subscript(seatsOf index: LedgerIndex<Subscription>) -> SeatPlan? {
        get { seats.plans[index] }
        set {
            seats.plans[index] = newValue
            contentChanged(of: index)
        }
    }

    /// The number of refunded seats of a transaction that sold seats.
    subscript(revokedSeatsOf index: LedgerIndex<Transaction>) -> Int? {
        get { seats.revokedSeats[index] }
        set {
            seats.revokedSeats[index] = newValue
            contentChanged(of: index)
        }
    }
}
