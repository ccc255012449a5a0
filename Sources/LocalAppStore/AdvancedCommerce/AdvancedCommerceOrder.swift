import AppStoreModel

/// The operation of a signed in-app request of Advanced Commerce.
struct AdvancedCommerceOrder {
    enum Operation {
        /// Sells a one-time charge.
        case charge(AdvancedCommerceTransactionInfo)
        /// Sells a subscription, possibly after another one.
        case subscribe(AdvancedCommerceTerms, previousTransactionId: String?)
        /// Turns the renewal of a subscription on again, possibly for some items only.
        case reactivate(transactionId: String, skus: [String]?)
        /// Changes the items of a subscription.
        case modify(AdvancedCommerceModification)
    }

    let caller: AdvancedCommerceCaller
    let operation: Operation

    /// Whether the customer pays immediately.
    var isCharged: Bool {
        switch operation {
        case .charge, .subscribe: true
        case .reactivate: false
        case .modify(let change): change.isImmediate
        }
    }

    init(_ request: AdvancedCommerceReader) throws(AppStoreServerAPIError) {
        let operation = AdvancedCommerceOperation(rawValue: try request.text("operation", ifAbsent: .invalidOperation))
        guard try request.text("version", ifAbsent: .nullVersion) == AdvancedCommerceLimits.requestVersion else {
            throw .fault(.unexpectedVersion)
        }
        caller = try AdvancedCommerceCaller(request)
        switch operation {
        case .createOneTimeCharge: self.operation = try Self.charge(request, by: caller)
        case .createSubscription: self.operation = try Self.subscription(request, by: caller)
        case .reactivateSubscription: self.operation = try Self.reactivation(request)
        case .modifySubscription: self.operation = .modify(try AdvancedCommerceModification(request))
        default: throw .fault(.invalidOperation)
        }
    }

    private static func charge(
        _ request: AdvancedCommerceReader,
        by caller: AdvancedCommerceCaller
    ) throws(AppStoreServerAPIError) -> Operation {
        guard caller.currency != nil else { throw .fault(.nullCurrency) }
        let taxCode = try request.requiredTaxCode()
        let item = try AdvancedCommerceTerms.Item(try request.inner("item", ifAbsent: .nullItem))
        return .charge(
            AdvancedCommerceTransactionInfo(
                estimatedTax: 0,
                items: [
                    AdvancedCommerceTransactionItem(
                        sku: item.sku,
                        description: item.description,
                        displayName: item.displayName,
                        price: item.price
                    )
                ],
                requestReferenceId: caller.requestReferenceId,
                taxCode: taxCode,
                taxExclusivePrice: item.price,
                taxRate: "0"
            )
        )
    }

    private static func subscription(
        _ request: AdvancedCommerceReader,
        by caller: AdvancedCommerceCaller
    ) throws(AppStoreServerAPIError) -> Operation {
        guard caller.currency != nil else { throw .fault(.nullCurrency) }
        let taxCode = try request.requiredTaxCode()
        let descriptors = try request.inner("descriptors", ifAbsent: .nullDescriptors).presentation()
        var items: [AdvancedCommerceTerms.Item] = []
        for item in try request.items() { items.append(try AdvancedCommerceTerms.Item(item)) }
        try AdvancedCommerceReader.checkDistinct(items.map(\.sku))
        let terms = AdvancedCommerceTerms(
            items: items,
            descriptors: descriptors,
            period: try request.value("period", ifAbsent: .nullPeriod, ifUnknown: .invalidRenewalPeriod),
            taxCode: taxCode,
            requestReferenceId: caller.requestReferenceId,
            consistencyToken: ""
        )
        try terms.checkOfferPeriods()
        return .subscribe(terms, previousTransactionId: try request.string("previousTransactionId"))
    }

    private static func reactivation(_ request: AdvancedCommerceReader) throws(AppStoreServerAPIError) -> Operation {
        let transactionId = try request.text("transactionId", ifAbsent: .nullTransactionId)
        var skus: [String]?
        for item in try request.list("items") ?? [] { skus = (skus ?? []) + [try item.sku()] }
        try AdvancedCommerceReader.checkDistinct(skus ?? [])
        return .reactivate(transactionId: transactionId, skus: skus)
    }
}
