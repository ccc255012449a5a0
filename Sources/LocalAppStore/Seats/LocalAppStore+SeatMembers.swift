public import AppStoreModel

extension LocalAppStore {
    /// Assigns a seat to an account that Apple invited; the account gets its own transactions, without a price.
    ///
    /// The purchaser has access without a seat.
    ///
    /// - Parameters:
    ///   - originalTransactionId: The purchaser's subscription, sold with invitations by Apple.
    ///   - accountId: The account.
    /// - Throws: `subscription_not_found`, `family_shared`, `seat_assigned`, `subscription_not_active`,
    ///   `seats_not_supported`, `seats_invalid`, `account_not_found`, `seat_member_invalid`, `signing_failed`.
    public mutating func assignSeat(
        originalTransactionId: String,
        accountId: String
    ) throws(StoreError) -> PurchaseOutcome {
        let (index, plan) = try multiseat(originalTransactionId)
        guard plan.invitationManagement == .apple else {
            let message =
                "The developer invites the members: POST …/\(originalTransactionId)/seat-claims gives them seats."
            throw StoreError(.seatsNotSupported, message)
        }
        guard givesAccess(index) else {
            let message = "A charge is being retried, and the subscription gives nobody access until it succeeds."
            throw StoreError(.subscriptionNotActive, message)
        }
        let member = try accountIndex(accountId, path: "accountId")
        guard member != ledger[index].account, !plan.members.contains(member) else {
            let message = "The account has access by its own purchase, or a seat already; name another one."
            throw StoreError(.seatMemberInvalid, message, path: "accountId")
        }
        guard lastingSeats(of: index) > plan.members.count else {
            let message = "All seats are assigned; buy more seats, or withdraw one, first."
            throw StoreError(.seatsInvalid, message, kind: .conflict)
        }
        ledger.seats.setMembers(plan.members + [member], of: index)
        let transaction = giveCopy(of: index, to: member)
        try settle()
        return try outcome(of: transaction)
    }

    /// Withdraws the seat of an account.
    ///
    /// - Throws: `subscription_not_found`, `family_shared`, `seat_assigned`, `subscription_not_active`,
    ///   `seats_not_supported`, `account_not_found`, `seat_not_assigned`, `signing_failed`.
    public mutating func withdrawSeat(originalTransactionId: String, accountId: String) throws(StoreError) {
        let (index, plan) = try multiseat(originalTransactionId)
        let member = try accountIndex(accountId, path: "accountId")
        guard plan.members.contains(member) else {
            throw StoreError(.seatNotAssigned, "\"\(accountId)\" has no seat of this subscription.")
        }
        ledger.seats.setMembers(plan.members.filter { $0 != member }, of: index)
        withdrawSeat(of: index, from: member)
        try settle()
    }

    /// The seats of a subscription with their members.
    ///
    /// - Throws: `subscription_not_found`, `family_shared`, `seat_assigned`, `subscription_not_active`,
    ///   `seats_not_supported`.
    public func seats(originalTransactionId: String) throws(StoreError) -> SeatReport {
        let (index, plan) = try multiseat(originalTransactionId)
        return SeatReport(
            seats: seatsOfRunningPeriod(of: index),
            renewalSeats: plan.renewalQuantity,
            invitationManagement: plan.invitationManagement,
            claimedSeatIds: plan.claims,
            memberAccountIds: plan.members.map { ledger[$0].accountId }
        )
    }

    /// Withdraws seats from the newest members if there are more members than seats.
    mutating func withdrawSeats(of index: LedgerIndex<Subscription>, beyond count: Int) {
        guard let members = ledger.seats.plans[index]?.members, members.count > count else { return }
        ledger.seats.setMembers(Array(members.prefix(count)), of: index)
        for member in members.dropFirst(count).reversed() { withdrawSeat(of: index, from: member) }
    }

    private mutating func withdrawSeat(of index: LedgerIndex<Subscription>, from member: LedgerIndex<Account>) {
        guard let copy = ledger.family.copy(of: index, for: member) else { return }
        revoke(copy, reason: .other)
    }
}

/// The seats of a subscription.
public struct SeatReport: Hashable, Sendable {
    /// The seats of the current period.
    public let seats: Int
    /// The seats of the next period.
    public let renewalSeats: Int
    /// Who invites the members.
    public let invitationManagement: InvitationManagement
    /// The seats that the developer has assigned, oldest first.
    public let claimedSeatIds: [String]
    /// The accounts to which Apple has assigned a seat, oldest first.
    public let memberAccountIds: [String]
}

extension StoreError {
    /// Refuses changes of what an account has through another account's purchase.
    static func boughtByAnother(_ ownership: InAppOwnershipType) -> StoreError {
        guard ownership == .assigned else {
            let message = "The account has this through Family Sharing: only who bought it can do this."
            return StoreError(.familyShared, message)
        }
        return StoreError(.seatAssigned, "The account has a seat of this subscription: only who bought it can do this.")
    }
}
