import AppStoreModel

extension LocalAppStore {
    /// Adds a member to the family of an account. The account shares its shareable purchases with the member.
    ///
    /// - Parameters:
    ///   - accountId: The account that shares.
    ///   - memberId: The account of the member.
    /// - Throws: `account_not_found`, `family_member_invalid`, `already_in_family`, `family_full`, `signing_failed`.
    public mutating func addFamilyMember(accountId: String, member memberId: String) throws(StoreError) {
        let purchaser = try accountIndex(accountId)
        let member = try accountIndex(memberId, path: "member")
        guard member != purchaser else {
            let message = "An account is no member of its own family; name another one."
            throw StoreError(.familyMemberInvalid, message, path: "member")
        }
        if let sharing = ledger.family.purchaser(for: member) {
            let message =
                "\"\(memberId)\" is in the family of \"\(ledger[sharing].accountId)\" already; an account can"
                + " be in one family only."
            throw StoreError(.alreadyInFamily, message, path: "member")
        }
        guard ledger.family.members(of: purchaser).count < FamilySharing.membersMax else {
            let message = "A family has \(FamilySharing.membersMax) members beside the purchaser: remove one first."
            throw StoreError(.familyFull, message)
        }
        ledger.family.add(member, to: purchaser)
        shareEverything(of: purchaser, with: member)
        try settle()
    }

    /// Shares earlier purchases with a new family member.
    mutating func shareEverything(of purchaser: LedgerIndex<Account>, with member: LedgerIndex<Account>) {
        for subscription in ledger[purchaser].subscriptions { share(subscription, with: member) }
        for transaction in ledger[purchaser].transactions { share(transaction, with: member) }
    }

    /// Removes a member from the family of an account. If both are the same account, it stops sharing.
    ///
    /// - Throws: `account_not_found`, `not_in_family`, `signing_failed`.
    public mutating func removeFamilyMember(accountId: String, member memberId: String) throws(StoreError) {
        let purchaser = try accountIndex(accountId)
        let leaving = try accountIndex(memberId)
        let members = ledger.family.members(of: purchaser)
        let concerned = leaving == purchaser ? members : members.filter { $0 == leaving }
        guard !concerned.isEmpty else {
            throw StoreError(.notInFamily, "\"\(memberId)\" is not in the family of \"\(accountId)\".")
        }
        for member in concerned { leaveFamily(member, of: purchaser) }
        try settle()
    }

    /// Removes the shared purchases of a member.
    mutating func leaveFamily(_ member: LedgerIndex<Account>, of purchaser: LedgerIndex<Account>) {
        for subscription in ledger[purchaser].subscriptions where ledger.seats.plans[subscription] == nil {
            if let copy = ledger.family.copy(of: subscription, for: member) { revoke(copy, reason: .other) }
        }
        for transaction in ledger[purchaser].transactions {
            if let copy = ledger.family.copy(of: transaction, for: member) { revoke(copy, reason: .other) }
        }
        ledger.family.remove(member, from: purchaser)
    }
}

// MARK: - Products that do not renew

extension LocalAppStore {
    /// Gives a member the purchaser's shareable one-time purchases.
    mutating func share(_ purchase: LedgerIndex<Transaction>, with member: LedgerIndex<Account>) {
        let bought = ledger[purchase]
        guard bought.type == .nonConsumable, bought.ownership == .purchased, bought.revocation == nil,
            ledger.planKind(of: purchase).isSharedInFamilies,
            catalog.products[bought.productId]?.isFamilyShareable == true
        else { return }
        let index = ledger.nextTransaction
        ledger.append(familyCopy(of: bought, for: member, original: nil, subscription: nil, reason: .purchase))
        ledger.family.note(index, of: purchase, for: member)
        announce(.oneTimeCharge, transaction: index)
    }

    /// Removes the purchaser's one-time purchases from a member.
    mutating func revoke(_ copy: LedgerIndex<Transaction>, reason: RevocationReason) {
        guard ledger[copy].revocation == nil else { return }
        ledger.revoke(copy, withdrawal(of: copy, reason))
        announce(.revoke, transaction: copy)
    }

    /// How a member loses a shared purchase.
    func withdrawal(of copy: LedgerIndex<Transaction>, _ reason: RevocationReason) -> Transaction.Revocation {
        let type: RevocationType = ledger[copy].ownership == .assigned ? .assignmentRevoke : .familyRevoke
        return Transaction.Revocation(date: now, reason: reason, type: type, percentage: nil)
    }

    /// A member's transaction for one of the purchaser, to be appended next: same dates, own identifiers, no charge.
    func familyCopy(
        of bought: Transaction,
        for member: LedgerIndex<Account>,
        original: LedgerIndex<Transaction>?,
        subscription: LedgerIndex<Subscription>?,
        reason: TransactionReason
    ) -> Transaction {
        let index = ledger.nextTransaction
        let isSeat = ledger.seats.revokedSeats[bought.index] != nil
        return Transaction(
            index: index,
            original: original ?? index,
            account: member,
            subscription: subscription,
            productId: bought.productId,
            groupId: bought.groupId,
            type: bought.type,
            purchaseDate: bought.purchaseDate,
            originalPurchaseDate: original.map { ledger[$0].originalPurchaseDate }
                ?? originalPurchaseDate(of: index, boughtAt: bought.purchaseDate),
            expiresDate: bought.expiresDate,
            quantity: isSeat ? 1 : bought.quantity,
            appAccountToken: nil,
            offer: nil,
            price: 0,
            reason: reason,
            ownership: isSeat ? .assigned : .familyShared
        )
    }
}
