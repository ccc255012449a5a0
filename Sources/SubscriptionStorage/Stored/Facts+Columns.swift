public import SubscriptionCore

/// The columns of the tables of facts, in the order of writing and reading.
package enum FactColumns {
    /// The columns of `earlier_transactions` after the app; before step 14, of `transaction_facts`.
    package static let transaction = """
        original_transaction_id, transaction_id, product_id, group_id, kind, purchased_at, originally_purchased_at, \
        expires_at, quantity, ownership, is_renewal, is_upgraded, revoked_at, revocation_kind, revocation_reason, \
        revocation_percentage, offer_kind, offer_payment, offer_identifier, offer_period, price_milliunits, \
        price_currency, storefront, account_token, app_transaction_id, signed_at, evidence_id, charge_id
        """
    /// The columns of `renewal_facts` after the app; step 14 drops the table.
    package static let renewal = """
        original_transaction_id, product_id, next_product_id, auto_renew, expiration_reason, is_in_billing_retry, \
        grace_expires_at, price_increase_accepted, offer_kind, offer_payment, offer_identifier, offer_period, \
        renews_at, renewal_price_milliunits, renewal_price_currency, recent_start_at, account_token, signed_at, \
        evidence_id, win_back_offers, is_committed
        """
    /// The columns of `status_facts` after the app; step 14 drops the table.
    package static let status = "original_transaction_id, status, signed_at, evidence_id"
}

extension TransactionFact {
    /// The values in the order of ``FactColumns``. They are appended one by one, because concatenating arrays copies
    /// each value.
    package var columns: [ColumnValue] {
        var columns = [ColumnValue](ofTableWith: 29)
        columns.append(.text(originalID))
        columns.append(.text(id))
        columns.append(.text(productID))
        columns.append(.text(groupID))
        columns.append(.text(kind))
        columns.append(.time(purchasedAt))
        columns.append(.time(originallyPurchasedAt))
        columns.append(.time(expiresAt))
        columns.append(.integer(quantity))
        columns.append(.text(ownership))
        columns.append(.flag(isRenewal))
        columns.append(.flag(isUpgraded))
        columns.append(.time(revocation?.at))
        columns.append(.text(revocation?.kind))
        columns.append(.integer(revocation?.reason))
        columns.append(.integer(revocation?.percentage))
        columns.append(offer)
        columns.append(price)
        columns.append(.text(storefront))
        columns.append(.text(accountToken))
        columns.append(.text(appTransactionID))
        columns.append(.time(signedAt))
        columns.append(.text(evidence))
        columns.append(.text(chargeID))
        return columns
    }

    /// Reads a row of those columns.
    ///
    /// - Throws: ``StorageError`` with `storage_corrupt`.
    @inlinable package init(row: some ColumnReading) throws(StorageError) {
        self.init(
            id: try row.identifier(1),
            originalID: try row.identifier(0),
            productID: try row.identifier(2),
            kind: try row.choice(4),
            purchasedAt: try row.time(5),
            originallyPurchasedAt: try row.time(6),
            signedAt: try row.time(25),
            evidence: try row.identifier(26),
            groupID: try row.optionalIdentifier(3),
            expiresAt: try row.optionalTime(7),
            quantity: try row.count(8),
            ownership: try row.choice(9),
            isRenewal: try row.flag(10),
            isUpgraded: try row.flag(11),
            revocation: try Revocation(row: row, column: 12),
            offer: try row.optionalOffer(16),
            price: try row.optionalMoney(20),
            storefront: try row.optionalText(22),
            accountToken: try row.optionalText(23),
            appTransactionID: try row.optionalText(24),
            chargeID: try row.optionalText(27)
        )
    }
}

extension Revocation {
    /// Four columns: time, kind, reason, percentage.
    @inlinable package init?(row: some ColumnReading, column: Int) throws(StorageError) {
        guard let time = try row.optionalTime(column) else { return nil }
        self.init(
            at: time,
            kind: try row.choice(column + 1),
            reason: try row.optionalCount(column + 2),
            percentage: try row.optionalCount(column + 3)
        )
    }
}

extension RenewalFact {
    /// The values in the order of ``FactColumns``.
    package var columns: [ColumnValue] {
        var columns = [ColumnValue](ofTableWith: 22)
        columns.append(.text(originalID))
        columns.append(.text(productID))
        columns.append(.text(nextProductID))
        columns.append(.flag(autoRenew))
        columns.append(.text(expirationReason))
        columns.append(.flag(isInBillingRetry))
        columns.append(.time(graceExpiresAt))
        columns.append(.flag(priceIncreaseAccepted))
        columns.append(offer)
        columns.append(.time(renewsAt))
        columns.append(renewalPrice)
        columns.append(.time(recentStartAt))
        columns.append(.text(accountToken))
        columns.append(.time(signedAt))
        columns.append(.text(evidence))
        columns.append(.bytes(winBackOfferIDs.isEmpty ? nil : winBackOfferIDs.compactBytes))
        columns.append(.flag(isCommitted ? true : nil))
        return columns
    }

    /// Reads a row of those columns. Rows of the first version have null in the last two.
    ///
    /// - Throws: ``StorageError`` with `storage_corrupt`.
    @inlinable package init(row: some ColumnReading) throws(StorageError) {
        self.init(
            originalID: try row.identifier(0),
            productID: try row.identifier(1),
            nextProductID: try row.identifier(2),
            autoRenew: try row.flag(3),
            signedAt: try row.time(17),
            evidence: try row.identifier(18),
            expirationReason: try row.optionalChoice(4),
            isInBillingRetry: try row.flag(5),
            graceExpiresAt: try row.optionalTime(6),
            priceIncreaseAccepted: try row.optionalFlag(7),
            offer: try row.optionalOffer(8),
            renewsAt: try row.optionalTime(12),
            renewalPrice: try row.optionalMoney(13),
            recentStartAt: try row.optionalTime(15),
            accountToken: try row.optionalText(16),
            winBackOfferIDs: try row.texts(19),
            isCommitted: try row.optionalFlag(20) ?? false
        )
    }
}

extension StatusFact {
    /// The values in the order of ``FactColumns``.
    package var columns: [ColumnValue] { [.text(originalID), .text(status), .time(signedAt), .text(evidence)] }

    /// Reads a row of those columns.
    ///
    /// - Throws: ``StorageError`` with `storage_corrupt`.
    @inlinable package init(row: some ColumnReading) throws(StorageError) {
        self.init(
            originalID: try row.identifier(0),
            status: try row.choice(1),
            signedAt: try row.time(2),
            evidence: try row.identifier(3)
        )
    }
}

extension Fact {
    /// Refuses text with a zero character. Compact bytes could store it, but an older transaction moves into columns
    /// later.
    ///
    /// - Throws: ``StorageError`` with `storage_failed`.
    package func requireStorableText() throws(StorageError) {
        let columns =
            switch self {
            case .transaction(let fact): fact.columns
            case .renewal(let fact): fact.columns
            case .status(let fact): fact.columns
            }
        for case .string(let text) in columns where text.utf8.contains(0) { throw .zeroCharacter }
    }
}
