import AppStoreModel

/// Checks the line items of a report against earlier ones, and against each other.
struct LineItemRelations {
    /// The maximum age of a line item that is corrected or refunded; Apple publishes none.
    static let ageMax = 365 * Milliseconds.day

    private let items: [ReportedLineItem]
    private let ledger: ExternalPurchaseLedger
    private let token: ExternalPurchaseTokenRecord
    private let now: Int64
    /// All line items after this report is accepted.
    private let view: [String: ReportedLineItem]
    private(set) var errors: [ExternalPurchaseReportError] = []

    init(
        _ items: [ReportedLineItem],
        against ledger: ExternalPurchaseLedger,
        token: ExternalPurchaseTokenRecord,
        now: Int64
    ) {
        self.items = items
        self.ledger = ledger
        self.token = token
        self.now = now
        view = ledger.lineItems.merging(items.map { ($0.lineItemId, $0) }) { $1 }
    }

    mutating func check() {
        var seen: Set<String> = []
        for item in items {
            let isNew = seen.insert(item.lineItemId).inserted
            require(isNew, .duplicateValue, "lineItemId", of: item)
            checkDate(of: item)
            checkVersion(of: item)
            checkReference(of: item)
        }
        checkReferrers()
        checkNetAmounts()
    }

    private mutating func checkDate(of item: ReportedLineItem) {
        // Later line items of a purchase are reported under its token, without a time limit.
        let begins = item.kind == .oneTimeBuy || item.beginsSubscription
        let end = begins ? token.expirationDate ?? .max : .max
        let isInRange = (token.creationDate...max(token.creationDate, end)).contains(item.creationDate)
        require(isInRange, .lineItemCreationDateOutOfRange, "creationDate", of: item)
        let isTooOld = item.creationDate < now - Self.ageMax
        if item.isRestatement {
            require(!isTooOld, .restatementNotAllowedCreationDate, "creationDate", of: item)
        } else if item.isRefund {
            require(!isTooOld, .refundNotAllowedCreationDate, "creationDate", of: item)
        }
    }

    /// Compares a line item with its previous version.
    private mutating func checkVersion(of item: ReportedLineItem) {
        guard let before = ledger.lineItems[item.lineItemId] else {
            return require(!item.isRestatement, .notFound, "lineItemId", of: item)
        }
        guard item.isRestatement else { return report(.duplicateValue, "lineItemId", of: item) }
        let isSameDate = before.creationDate == item.creationDate
        require(isSameDate, .restatementCreationDateMismatch, "creationDate", of: item)
        require(
            !(before.isErroneous && item.isErroneous),
            .repeatErroneousSubmission,
            "erroneouslySubmitted",
            of: item
        )
    }

    /// Compares a line item with the one that it references.
    private mutating func checkReference(of item: ReportedLineItem) {
        let field = "referenceLineItemId"
        guard let reference = item.referenceLineItemId else { return }
        guard let target = view[reference] else { return report(.notFound, field, of: item) }
        if item.isRefund {
            require(!target.isRefund, .referenceLineItemNotABuy, field, of: item)
            require(
                target.pricingCurrency == item.pricingCurrency,
                .pricingCurrencyMismatch,
                "pricingCurrency",
                of: item
            )
            require(
                target.reportingCurrency == item.reportingCurrency,
                .reportingCurrencyMismatch,
                "reportingCurrency",
                of: item
            )
            require(target.exchangeRate == item.exchangeRate, .exchangeRateMismatch, "exchangeRate", of: item)
            require(target.taxCountry == item.taxCountry, .taxCountryMismatch, "taxCountry", of: item)
        } else {
            require(target.beginsSubscription, .referenceInvalidSubscriptionEvent, field, of: item)
        }
        require(
            item.isErroneous || !target.isErroneous,
            .validLineItemReferencesErroneousLineItem,
            field,
            of: item
        )
        require(target.creationDate <= item.creationDate, .referencedCreationDateIncompatible, field, of: item)
    }

    /// Compares corrected line items with those that reference them.
    private mutating func checkReferrers() {
        let named = Set(items.map(\.lineItemId))
        for item in items where item.isRestatement {
            let referrers = ledger.lineItems.values.filter {
                $0.referenceLineItemId == item.lineItemId && !named.contains($0.lineItemId)
            }
            let hasValidReferrer = referrers.contains { !$0.isErroneous }
            require(
                !(item.isErroneous && hasValidReferrer),
                .erroneousLineItemReferencedByValidLineItem,
                "erroneouslySubmitted",
                of: item
            )
            let isRefunded = referrers.contains(where: \.isRefund)
            require(!(item.isRefund && isRefunded), .refundReferencedByRefund, "eventType", of: item)
            let isFollowed = referrers.contains { !$0.isRefund }
            require(
                item.beginsSubscription || !isFollowed,
                .nonInitialBuyReferencedByBuy,
                "subscriptionEvent",
                of: item
            )
        }
    }

    /// The amount of a purchase minus its refunds is the net amount of each of its line items.
    private mutating func checkNetAmounts() {
        let groups = Dictionary(grouping: items, by: \.purchaseId)
        for item in items where groups[item.purchaseId]?.first?.lineItemId == item.lineItemId {
            let group = groups[item.purchaseId] ?? []
            if let other = group.first(where: { $0.netAmountTaxExclusive != item.netAmountTaxExclusive }) {
                report(.netAmountMismatch, "netAmountTaxExclusive", of: other)
            } else if let expected = netAmount(of: item.purchaseId) {
                for member in group {
                    let isRight = member.netAmountTaxExclusive == expected
                    require(isRight, .incorrectNetAmount, "netAmountTaxExclusive", of: member)
                }
            }
        }
    }

    /// `nil` if the purchase is unknown, or the sum is too large.
    private func netAmount(of purchaseId: String) -> Int64? {
        guard let purchase = view[purchaseId], !purchase.isRefund else { return nil }
        var rest = purchase.isErroneous ? 0 : purchase.amountTaxExclusive
        for item in view.values where item.isRefund && item.referenceLineItemId == purchaseId && !item.isErroneous {
            let (difference, overflows) = rest.subtractingReportingOverflow(item.amountTaxExclusive)
            guard !overflows else { return nil }
            rest = difference
        }
        return rest
    }

    private mutating func require(
        _ condition: Bool,
        _ code: ExternalPurchaseErrorCode,
        _ field: String,
        of item: ReportedLineItem
    ) {
        if !condition { report(code, field, of: item) }
    }

    private mutating func report(_ code: ExternalPurchaseErrorCode, _ field: String, of item: ReportedLineItem) {
        errors.append(ExternalPurchaseReportError(code, field: field, lineItemId: item.lineItemId))
    }
}
