package import SubscriptionCore

/// The stored form of a purchase's facts: one byte for the form, then the parts in the order below (decision 24). A
/// part that equals that of the previous transaction is omitted; a mask records which (decision 44).
extension PurchaseFacts {
    private static let form: UInt8 = 1

    /// The facts as bytes, the same for equal facts; nil for no facts.
    package var compactBytes: [UInt8]? {
        guard self != PurchaseFacts() else { return nil }
        var writer = CompactWriter(form: Self.form)
        var parts = Parts()
        if hasEarlier { parts.insert(.hasEarlier) }
        if renewal != nil { parts.insert(.hasRenewal) }
        if status != nil { parts.insert(.hasStatus) }
        writer.write(parts.rawValue)
        writer.write(UInt64(transactions.count))
        var base = TransactionFact.neutral
        for transaction in transactions {
            transaction.write(to: &writer, after: base)
            base = transaction
        }
        renewal?.write(to: &writer, after: base)
        status?.write(to: &writer, after: base)
        return writer.bytes
    }

    /// Reads what ``compactBytes`` wrote.
    ///
    /// - Throws: ``StorageError`` with `storage_corrupt`.
    package init(compactBytes: [UInt8]?, of purchase: OriginalTransactionID) throws(StorageError) {
        guard let compactBytes else {
            self.init()
            return
        }
        do throws(StorageError) {
            try self.init(decoding: compactBytes, of: purchase)
        } catch {
            throw .unreadable("facts", of: purchase, error)
        }
    }

    private init(decoding compactBytes: [UInt8], of purchase: OriginalTransactionID) throws(StorageError) {
        var reader = try CompactReader(compactBytes)
        guard reader.form == Self.form else { throw .unreadable("facts of form \(reader.form)") }
        let parts = Parts(rawValue: try reader.count())
        let count = try reader.count()
        guard count <= UInt64(Self.transactionsMax) else { throw .unreadable("facts of too many transactions") }
        var transactions: [TransactionFact] = []
        var base = TransactionFact.neutral
        for _ in 0..<count {
            base = try TransactionFact(from: &reader, of: purchase, after: base)
            transactions.append(base)
        }
        self.init(
            renewal: parts.contains(.hasRenewal) ? try RenewalFact(from: &reader, of: purchase, after: base) : nil,
            status: parts.contains(.hasStatus) ? try StatusFact(from: &reader, of: purchase, after: base) : nil,
            transactions: transactions,
            hasEarlier: parts.contains(.hasEarlier)
        )
        try reader.finish()
    }

    private struct Parts: OptionSet {
        var rawValue: UInt64 = 0
        static let hasEarlier = Parts(rawValue: 1 << 0)
        static let hasRenewal = Parts(rawValue: 1 << 1)
        static let hasStatus = Parts(rawValue: 1 << 2)
    }
}

// The bits are stored: never remove or move one.

extension TransactionFact {
    /// The base for the first transaction.
    fileprivate static let neutral = TransactionFact(
        id: TransactionID(""),
        originalID: OriginalTransactionID(""),
        productID: ProductID(""),
        kind: .autoRenewable,
        purchasedAt: Timestamp(milliseconds: 0),
        originallyPurchasedAt: Timestamp(milliseconds: 0),
        signedAt: Timestamp(milliseconds: 0),
        evidence: EvidenceID("")
    )

    /// The parts that equal those of the previous transaction, and the flags that are true or present.
    private struct Mask: OptionSet {
        var rawValue: UInt64 = 0
        static let product = Mask(rawValue: 1 << 0)
        static let group = Mask(rawValue: 1 << 1)
        static let kind = Mask(rawValue: 1 << 2)
        static let firstPurchase = Mask(rawValue: 1 << 3)
        static let quantity = Mask(rawValue: 1 << 4)
        static let ownership = Mask(rawValue: 1 << 5)
        static let offer = Mask(rawValue: 1 << 6)
        static let price = Mask(rawValue: 1 << 7)
        static let storefront = Mask(rawValue: 1 << 8)
        static let accountToken = Mask(rawValue: 1 << 9)
        static let appTransaction = Mask(rawValue: 1 << 10)
        static let signedAt = Mask(rawValue: 1 << 11)
        static let evidence = Mask(rawValue: 1 << 12)
        static let isRenewal = Mask(rawValue: 1 << 13)
        static let hasEnd = Mask(rawValue: 1 << 14)
        static let isUpgraded = Mask(rawValue: 1 << 15)
        static let hasRevocation = Mask(rawValue: 1 << 16)
        static let hasCharge = Mask(rawValue: 1 << 17)
    }

    private func mask(after base: TransactionFact) -> Mask {
        var mask = Mask()
        if productID == base.productID { mask.insert(.product) }
        if groupID == base.groupID { mask.insert(.group) }
        if kind == base.kind { mask.insert(.kind) }
        if originallyPurchasedAt == base.originallyPurchasedAt { mask.insert(.firstPurchase) }
        if quantity == base.quantity { mask.insert(.quantity) }
        if ownership == base.ownership { mask.insert(.ownership) }
        if isSame(offer, base.offer) { mask.insert(.offer) }
        if isSame(price, base.price) { mask.insert(.price) }
        if isSame(storefront, base.storefront) { mask.insert(.storefront) }
        if isSame(accountToken, base.accountToken) { mask.insert(.accountToken) }
        if isSame(appTransactionID, base.appTransactionID) { mask.insert(.appTransaction) }
        if signedAt == base.signedAt { mask.insert(.signedAt) }
        if evidence == base.evidence { mask.insert(.evidence) }
        if isRenewal { mask.insert(.isRenewal) }
        if expiresAt != nil { mask.insert(.hasEnd) }
        if isUpgraded { mask.insert(.isUpgraded) }
        if revocation != nil { mask.insert(.hasRevocation) }
        if chargeID != nil { mask.insert(.hasCharge) }
        return mask
    }

    fileprivate func write(to writer: inout CompactWriter, after base: TransactionFact) {
        let mask = mask(after: base)
        writer.write(mask.rawValue)
        writer.write(packed: id.rawValue)
        if !mask.contains(.product) { writer.write(productID) }
        if !mask.contains(.group) { writer.write(groupID) { $0.write(packed: $1.rawValue) } }
        if !mask.contains(.kind) { writer.write(kind) }
        writer.write(purchasedAt)
        if !mask.contains(.firstPurchase) { writer.write(originallyPurchasedAt) }
        if let expiresAt { writer.write(expiresAt) }
        if !mask.contains(.quantity) { writer.write(Int64(quantity)) }
        if !mask.contains(.ownership) { writer.write(ownership) }
        if let revocation { revocation.write(to: &writer) }
        if !mask.contains(.offer) { writer.write(offer) { $1.write(to: &$0) } }
        if !mask.contains(.price) { writer.write(price) { $0.write($1) } }
        if !mask.contains(.storefront) { writer.write(storefront) { $0.write($1) } }
        if !mask.contains(.accountToken) { writer.write(accountToken) { $0.write(packed: $1) } }
        if !mask.contains(.appTransaction) { writer.write(appTransactionID) { $0.write(packed: $1) } }
        if let chargeID { writer.write(packed: chargeID) }
        if !mask.contains(.signedAt) { writer.write(signedAt) }
        if !mask.contains(.evidence) { writer.write(packed: evidence) }
    }

    fileprivate init(
        from reader: inout CompactReader,
        of purchase: OriginalTransactionID,
        after base: TransactionFact
    ) throws(StorageError) {
        let mask = Mask(rawValue: try reader.count())
        self = base
        originalID = purchase
        id = TransactionID(rawValue: try reader.packedText())
        if !mask.contains(.product) { productID = try reader.identifier() }
        if !mask.contains(.group) {
            groupID = try reader.optional { reader throws(StorageError) in
                SubscriptionGroupID(rawValue: try reader.packedText())
            }
        }
        if !mask.contains(.kind) { kind = try reader.choice() }
        purchasedAt = try reader.time()
        if !mask.contains(.firstPurchase) { originallyPurchasedAt = try reader.time() }
        expiresAt = mask.contains(.hasEnd) ? try reader.time() : nil
        if !mask.contains(.quantity) {
            guard let count = Int(exactly: try reader.number()) else { throw .unreadable("a quantity is too large") }
            quantity = count
        }
        if !mask.contains(.ownership) { ownership = try reader.choice() }
        revocation = mask.contains(.hasRevocation) ? try Revocation(from: &reader) : nil
        if !mask.contains(.offer) {
            offer = try reader.optional { reader throws(StorageError) in try Offer(from: &reader) }
        }
        if !mask.contains(.price) {
            price = try reader.optional { reader throws(StorageError) in try reader.money() }
        }
        if !mask.contains(.storefront) {
            storefront = try reader.optional { reader throws(StorageError) in try reader.text() }
        }
        if !mask.contains(.accountToken) {
            accountToken = try reader.optional { reader throws(StorageError) in try reader.packedText() }
        }
        if !mask.contains(.appTransaction) {
            appTransactionID = try reader.optional { reader throws(StorageError) in try reader.packedText() }
        }
        chargeID = mask.contains(.hasCharge) ? try reader.packedText() : nil
        if !mask.contains(.signedAt) { signedAt = try reader.time() }
        if !mask.contains(.evidence) { evidence = try reader.packedEvidenceID() }
        isRenewal = mask.contains(.isRenewal)
        isUpgraded = mask.contains(.isUpgraded)
    }
}

extension RenewalFact {
    /// The parts that equal those of the newest transaction, and the flags that are true or present.
    private struct Mask: OptionSet {
        var rawValue: UInt64 = 0
        static let product = Mask(rawValue: 1 << 0)
        static let nextProduct = Mask(rawValue: 1 << 1)
        static let autoRenew = Mask(rawValue: 1 << 2)
        static let accountToken = Mask(rawValue: 1 << 3)
        static let signedAt = Mask(rawValue: 1 << 4)
        static let evidence = Mask(rawValue: 1 << 5)
        static let price = Mask(rawValue: 1 << 6)
        static let renewsAtEnd = Mask(rawValue: 1 << 7)
        static let hasReason = Mask(rawValue: 1 << 8)
        static let isInBillingRetry = Mask(rawValue: 1 << 9)
        static let hasGrace = Mask(rawValue: 1 << 10)
        static let hasAnswer = Mask(rawValue: 1 << 11)
        static let isAccepted = Mask(rawValue: 1 << 12)
        static let hasOffer = Mask(rawValue: 1 << 13)
        static let hasRecentStart = Mask(rawValue: 1 << 14)
        static let hasWinBack = Mask(rawValue: 1 << 15)
        static let isCommitted = Mask(rawValue: 1 << 16)
    }

    private func mask(after base: TransactionFact) -> Mask {
        var mask = Mask()
        if productID == base.productID { mask.insert(.product) }
        if nextProductID == productID { mask.insert(.nextProduct) }
        if autoRenew { mask.insert(.autoRenew) }
        if isSame(accountToken, base.accountToken) { mask.insert(.accountToken) }
        if signedAt == base.signedAt { mask.insert(.signedAt) }
        if evidence == base.evidence { mask.insert(.evidence) }
        if isSame(renewalPrice, base.price) { mask.insert(.price) }
        if renewsAt == base.expiresAt { mask.insert(.renewsAtEnd) }
        if expirationReason != nil { mask.insert(.hasReason) }
        if isInBillingRetry { mask.insert(.isInBillingRetry) }
        if graceExpiresAt != nil { mask.insert(.hasGrace) }
        if priceIncreaseAccepted != nil { mask.insert(.hasAnswer) }
        if priceIncreaseAccepted == true { mask.insert(.isAccepted) }
        if offer != nil { mask.insert(.hasOffer) }
        if recentStartAt != nil { mask.insert(.hasRecentStart) }
        if !winBackOfferIDs.isEmpty { mask.insert(.hasWinBack) }
        if isCommitted { mask.insert(.isCommitted) }
        return mask
    }

    fileprivate func write(to writer: inout CompactWriter, after base: TransactionFact) {
        let mask = mask(after: base)
        writer.write(mask.rawValue)
        if !mask.contains(.product) { writer.write(productID) }
        if !mask.contains(.nextProduct) { writer.write(nextProductID) }
        if !mask.contains(.accountToken) { writer.write(accountToken) { $0.write(packed: $1) } }
        if !mask.contains(.signedAt) { writer.write(signedAt) }
        if !mask.contains(.evidence) { writer.write(packed: evidence) }
        if !mask.contains(.price) { writer.write(renewalPrice) { $0.write($1) } }
        if !mask.contains(.renewsAtEnd) { writer.write(renewsAt) { $0.write($1) } }
        if let expirationReason { writer.write(expirationReason) }
        if let graceExpiresAt { writer.write(graceExpiresAt) }
        if let offer { offer.write(to: &writer) }
        if let recentStartAt { writer.write(recentStartAt) }
        if !winBackOfferIDs.isEmpty {
            writer.write(UInt64(winBackOfferIDs.count))
            for offer in winBackOfferIDs { writer.write(offer) }
        }
    }

    fileprivate init(
        from reader: inout CompactReader,
        of purchase: OriginalTransactionID,
        after base: TransactionFact
    ) throws(StorageError) {
        let mask = Mask(rawValue: try reader.count())
        let product = mask.contains(.product) ? base.productID : try reader.identifier()
        self.init(
            originalID: purchase,
            productID: product,
            nextProductID: mask.contains(.nextProduct) ? product : try reader.identifier(),
            autoRenew: mask.contains(.autoRenew),
            signedAt: base.signedAt,
            evidence: base.evidence,
            isInBillingRetry: mask.contains(.isInBillingRetry),
            priceIncreaseAccepted: mask.contains(.hasAnswer) ? mask.contains(.isAccepted) : nil,
            renewsAt: base.expiresAt,
            renewalPrice: base.price,
            accountToken: base.accountToken,
            isCommitted: mask.contains(.isCommitted)
        )
        if !mask.contains(.accountToken) {
            accountToken = try reader.optional { reader throws(StorageError) in try reader.packedText() }
        }
        if !mask.contains(.signedAt) { signedAt = try reader.time() }
        if !mask.contains(.evidence) { evidence = try reader.packedEvidenceID() }
        if !mask.contains(.price) {
            renewalPrice = try reader.optional { reader throws(StorageError) in try reader.money() }
        }
        if !mask.contains(.renewsAtEnd) {
            renewsAt = try reader.optional { reader throws(StorageError) in try reader.time() }
        }
        if mask.contains(.hasReason) { expirationReason = try reader.choice() }
        if mask.contains(.hasGrace) { graceExpiresAt = try reader.time() }
        if mask.contains(.hasOffer) { offer = try Offer(from: &reader) }
        if mask.contains(.hasRecentStart) { recentStartAt = try reader.time() }
        if mask.contains(.hasWinBack) {
            for _ in 0..<(try reader.count()) { winBackOfferIDs.append(try reader.text()) }
        }
    }
}

extension StatusFact {
    fileprivate func write(to writer: inout CompactWriter, after base: TransactionFact) {
        writer.write(status)
        writer.write(signedAt == base.signedAt)
        if signedAt != base.signedAt { writer.write(signedAt) }
        writer.write(evidence == base.evidence)
        if evidence != base.evidence { writer.write(packed: evidence) }
    }

    fileprivate init(
        from reader: inout CompactReader,
        of purchase: OriginalTransactionID,
        after base: TransactionFact
    ) throws(StorageError) {
        self.init(
            originalID: purchase,
            status: try reader.choice(),
            signedAt: try reader.flag() ? base.signedAt : try reader.time(),
            evidence: try reader.flag() ? base.evidence : try reader.packedEvidenceID()
        )
    }
}

extension Revocation {
    fileprivate func write(to writer: inout CompactWriter) {
        writer.write(at)
        writer.write(kind)
        writer.write(reason) { $0.write(Int64($1)) }
        writer.write(percentage) { $0.write(Int64($1)) }
    }

    fileprivate init(from reader: inout CompactReader) throws(StorageError) {
        self.init(
            at: try reader.time(),
            kind: try reader.choice(),
            reason: try reader.optional { reader throws(StorageError) in try reader.integer() },
            percentage: try reader.optional { reader throws(StorageError) in try reader.integer() }
        )
    }
}

extension CompactReader {
    fileprivate mutating func integer() throws(StorageError) -> Int {
        guard let integer = Int(exactly: try number()) else { throw .unreadable("a number is too large") }
        return integer
    }
}

// Texts are compared by their bytes, because Swift's `==` treats canonically equivalent text as equal.

private func isSame(_ left: String?, _ right: String?) -> Bool {
    guard let left, let right else { return left == nil && right == nil }
    return left.utf8.elementsEqual(right.utf8)
}

private func isSame(_ left: Money?, _ right: Money?) -> Bool {
    left?.milliunits == right?.milliunits && isSame(left?.currency, right?.currency)
}

private func isSame(_ left: Offer?, _ right: Offer?) -> Bool {
    left?.kind == right?.kind && left?.payment == right?.payment
        && isSame(left?.identifier, right?.identifier) && isSame(left?.period, right?.period)
}
