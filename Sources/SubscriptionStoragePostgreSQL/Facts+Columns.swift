#if PostgreSQL
    import SubscriptionCore
    import SubscriptionStorage

    /// Facts in columns: the order here is the order of the columns in ``PostgreSQLQuery``.
    extension TransactionFact {
        var columns: [PostgreSQLValue] {
            let identity: [PostgreSQLValue] = [
                .text(originalID), .text(id), .text(productID), .text(groupID), .text(kind), .time(purchasedAt),
                .time(originallyPurchasedAt), .time(expiresAt), .integer(quantity), .text(ownership), .flag(isRenewal),
                .flag(isUpgraded),
            ]
            let taken: [PostgreSQLValue] = [
                .time(revocation?.at), .text(revocation?.kind), .integer(revocation?.reason),
                .integer(revocation?.percentage),
            ]
            let origin: [PostgreSQLValue] = [
                .text(storefront), .text(accountToken), .text(appTransactionID), .time(signedAt), .text(evidence),
            ]
            return identity + taken + PostgreSQLValue.offer(offer) + PostgreSQLValue.money(price) + origin
        }

        init(row: PostgreSQLRow) throws(StorageError) {
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
                appTransactionID: try row.optionalText(24)
            )
        }
    }

    extension Revocation {
        /// Four columns: time, kind, reason, percentage.
        fileprivate init?(row: PostgreSQLRow, column: Int) throws(StorageError) {
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
        var columns: [PostgreSQLValue] {
            let present: [PostgreSQLValue] = [
                .text(originalID), .text(productID), .text(nextProductID), .flag(autoRenew), .text(expirationReason),
                .flag(isInBillingRetry), .time(graceExpiresAt), .flag(priceIncreaseAccepted),
            ]
            let origin: [PostgreSQLValue] = [
                .time(recentStartAt), .text(accountToken), .time(signedAt), .text(evidence),
            ]
            return present + PostgreSQLValue.offer(offer) + [.time(renewsAt)] + PostgreSQLValue.money(renewalPrice)
                + origin
        }

        init(row: PostgreSQLRow) throws(StorageError) {
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
                accountToken: try row.optionalText(16)
            )
        }
    }

    extension StatusFact {
        var columns: [PostgreSQLValue] { [.text(originalID), .text(status), .time(signedAt), .text(evidence)] }

        init(row: PostgreSQLRow) throws(StorageError) {
            self.init(
                originalID: try row.identifier(0),
                status: try row.choice(1),
                signedAt: try row.time(2),
                evidence: try row.identifier(3)
            )
        }
    }
#endif
