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
    var plans: [LedgerIndex<Subscription>: SeatPlan] = [:]
    /// The transactions that sold seats, with the number of refunded seats.
    var revokedSeats: [LedgerIndex<Transaction>: Int] = [:]
}
