public import SubscriptionCore

/// The stored form of a purchase's state: one byte for the form, then its parts in the order below (decision 24).
extension PurchaseState {
    fileprivate static let subscriptionForm: UInt8 = 1
    private static let oneTimeForm: UInt8 = 2
    /// A subscription that ended early or has a known next period: both parts follow.
    fileprivate static let extendedSubscriptionForm: UInt8 = 3
    /// The extended form, followed by the consent to a higher price and former products.
    fileprivate static let longestSubscriptionForm: UInt8 = 4

    /// The state as bytes, the same for equal states.
    package var compactBytes: [UInt8] {
        switch self {
        case .subscription(let state):
            var writer = CompactWriter(form: state.form)
            state.write(to: &writer)
            if state.form != Self.subscriptionForm {
                writer.write(state.endedEarlyAt) { $0.write($1) }
                state.nextPeriod.write(to: &writer)
            }
            if state.form == Self.longestSubscriptionForm {
                writer.write(state.nextPeriod.priceIncreaseAccepted) { $0.write($1) }
                writer.write(UInt64(state.formerProducts.count))
                for product in state.formerProducts {
                    writer.write(product.id)
                    writer.write(product.endedAt)
                }
            }
            return writer.bytes
        case .oneTime(let state):
            var writer = CompactWriter(form: Self.oneTimeForm)
            state.write(to: &writer)
            return writer.bytes
        }
    }

    /// Reads what ``compactBytes`` wrote.
    ///
    /// - Throws: ``StorageError`` with `storage_corrupt`.
    @usableFromInline package init(compactBytes: [UInt8]) throws(StorageError) {
        var reader = try CompactReader(compactBytes)
        switch reader.form {
        case Self.subscriptionForm: self = .subscription(try SubscriptionState(from: &reader))
        case Self.extendedSubscriptionForm: self = .subscription(try SubscriptionState(extended: &reader))
        case Self.longestSubscriptionForm:
            var state = try SubscriptionState(extended: &reader)
            state.nextPeriod.priceIncreaseAccepted = try reader.optional { reader throws(StorageError) in
                try reader.flag()
            }
            for _ in 0..<(try reader.count()) {
                state.formerProducts.append(.init(id: try reader.identifier(), endedAt: try reader.time()))
            }
            self = .subscription(state)
        case Self.oneTimeForm: self = .oneTime(try OneTimePurchaseState(from: &reader))
        default: throw .unreadable("a state of form \(reader.form)")
        }
        try reader.finish()
    }
}

extension SubscriptionState {
    /// The shortest form with all its parts.
    fileprivate var form: UInt8 {
        if !formerProducts.isEmpty || nextPeriod.priceIncreaseAccepted != nil {
            return PurchaseState.longestSubscriptionForm
        }
        let isPlain = endedEarlyAt == nil && nextPeriod == NextPeriod()
        return isPlain ? PurchaseState.subscriptionForm : PurchaseState.extendedSubscriptionForm
    }

    /// Reads the parts of the extended form.
    fileprivate init(extended reader: inout CompactReader) throws(StorageError) {
        try self.init(from: &reader)
        endedEarlyAt = try reader.optional { reader throws(StorageError) in try reader.time() }
        nextPeriod = try NextPeriod(from: &reader)
    }

    fileprivate func write(to writer: inout CompactWriter) {
        writer.write(id)
        writer.write(productID)
        writer.write(groupID) { $0.write($1) }
        writer.write(status)
        writer.write(givesAccess)
        writer.write(periodType)
        writer.write(ownership)
        writer.write(startedAt)
        writer.write(periodStartsAt)
        writer.write(periodEndsAt)
        writer.write(graceExpiresAt) { $0.write($1) }
        writer.write(autoRenew)
        writer.write(nextProductID) { $0.write($1) }
        writer.write(billingIssue) { $0.write($1) }
        writer.write(endReason) { $0.write($1) }
        writer.write(price) { $0.write($1) }
        writer.write(storefront) { $0.write($1) }
        writer.write(introductoryOfferUsed)
        writer.write(nextChangeAt) { $0.write($1) }
    }

    fileprivate init(from reader: inout CompactReader) throws(StorageError) {
        self.init(
            id: try reader.identifier(),
            productID: try reader.identifier(),
            groupID: try reader.optional { reader throws(StorageError) in try reader.identifier() },
            status: try reader.choice(),
            givesAccess: try reader.flag(),
            periodType: try reader.choice(),
            ownership: try reader.choice(),
            startedAt: try reader.time(),
            periodStartsAt: try reader.time(),
            periodEndsAt: try reader.time(),
            graceExpiresAt: try reader.optional { reader throws(StorageError) in try reader.time() },
            autoRenew: try reader.flag(),
            nextProductID: try reader.optional { reader throws(StorageError) in try reader.identifier() },
            billingIssue: try reader.optional { reader throws(StorageError) in try reader.choice() },
            endReason: try reader.optional { reader throws(StorageError) in try reader.choice() },
            price: try reader.optional { reader throws(StorageError) in try reader.money() },
            storefront: try reader.optional { reader throws(StorageError) in try reader.text() },
            introductoryOfferUsed: try reader.flag(),
            nextChangeAt: try reader.optional { reader throws(StorageError) in try reader.time() }
        )
    }
}

extension SubscriptionState.NextPeriod {
    fileprivate func write(to writer: inout CompactWriter) {
        writer.write(price) { $0.write($1) }
        writer.write(offer) { $1.write(to: &$0) }
        writer.write(UInt64(winBackOfferIDs.count))
        for offer in winBackOfferIDs { writer.write(offer) }
        writer.write(awaitedUntil) { $0.write($1) }
    }

    fileprivate init(from reader: inout CompactReader) throws(StorageError) {
        self.init(
            price: try reader.optional { reader throws(StorageError) in try reader.money() },
            offer: try reader.optional { reader throws(StorageError) in try Offer(from: &reader) }
        )
        for _ in 0..<(try reader.count()) { winBackOfferIDs.append(try reader.text()) }
        awaitedUntil = try reader.optional { reader throws(StorageError) in try reader.time() }
    }
}

extension Offer {
    func write(to writer: inout CompactWriter) {
        writer.write(kind)
        writer.write(payment) { $0.write($1) }
        writer.write(identifier) { $0.write($1) }
        writer.write(period) { $0.write($1) }
    }

    init(from reader: inout CompactReader) throws(StorageError) {
        self.init(
            kind: try reader.choice(),
            payment: try reader.optional { reader throws(StorageError) in try reader.choice() },
            identifier: try reader.optional { reader throws(StorageError) in try reader.text() },
            period: try reader.optional { reader throws(StorageError) in try reader.text() }
        )
    }
}

extension OneTimePurchaseState {
    fileprivate func write(to writer: inout CompactWriter) {
        writer.write(id)
        writer.write(productID)
        writer.write(kind)
        writer.write(Int64(quantity))
        writer.write(ownership)
        writer.write(purchasedAt)
        writer.write(revokedAt) { $0.write($1) }
        writer.write(price) { $0.write($1) }
        writer.write(storefront) { $0.write($1) }
    }

    fileprivate init(from reader: inout CompactReader) throws(StorageError) {
        self.init(
            id: try reader.identifier(),
            productID: try reader.identifier(),
            kind: try reader.choice(),
            quantity: try reader.quantity(),
            ownership: try reader.choice(),
            purchasedAt: try reader.time(),
            revokedAt: try reader.optional { reader throws(StorageError) in try reader.time() },
            price: try reader.optional { reader throws(StorageError) in try reader.money() },
            storefront: try reader.optional { reader throws(StorageError) in try reader.text() }
        )
    }
}

extension CompactReader {
    fileprivate mutating func quantity() throws(StorageError) -> Int {
        guard let quantity = Int(exactly: try number()) else { throw .unreadable("a quantity is too large") }
        return quantity
    }
}
