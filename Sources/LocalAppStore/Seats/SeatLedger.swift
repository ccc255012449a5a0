import AppStoreModel

/// How a multiseat subscription goes on.
struct SeatPlan: Hashable, Sendable, Codable {
    /// The seats of the next period.
    var renewalQuantity: Int
    /// Who invites the members.
    let invitationManagement: InvitationManagement
    /// The seats that the developer has given to members, oldest first.
    var claims: [String] = []
    /// Whom Apple has given a seat, oldest first.
    var members: [LedgerIndex<Account>] = []
}

/// The multiseat subscriptions, and what was sold to them.
struct SeatLedger: Sendable, Codable {
    var plans: [LedgerIndex<Subscription>: SeatPlan] = [:]
    /// The transactions that sold seats, with how many of them were refunded since.
    var revokedSeats: [LedgerIndex<Transaction>: Int] = [:]
}
