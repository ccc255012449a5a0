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

    init(_ json: JSONObject) throws(AppStoreServerAPIError) {
        switch try Self.operation(of: json) {
        case .createOneTimeCharge:
            let request = try AdvancedCommerceOneTimeChargeCreateRequest(checking: json)
            caller = AdvancedCommerceCaller(request, currency: request.currency)
            operation = .charge(AdvancedCommerceTransactionInfo(selling: request, by: caller))
        case .createSubscription:
            let request = try AdvancedCommerceSubscriptionCreateRequest(checking: json)
            caller = AdvancedCommerceCaller(request, currency: request.currency)
            let terms = AdvancedCommerceTerms(selling: request, by: caller)
            try terms.checkOfferPeriods()
            operation = .subscribe(terms, previousTransactionId: request.previousTransactionId)
        case .reactivateSubscription:
            let request = try AdvancedCommerceSubscriptionReactivateInAppRequest(checking: json)
            caller = AdvancedCommerceCaller(request)
            operation = .reactivate(transactionId: request.transactionId, skus: request.items?.map(\.sku))
        case .modifySubscription:
            let request = try AdvancedCommerceSubscriptionModifyInAppRequest(checking: json)
            caller = AdvancedCommerceCaller(request, currency: request.currency)
            operation = .modify(AdvancedCommerceModification(request))
        default: throw .invalidOperation
        }
    }

    /// The operation of a request in the known format.
    private static func operation(of json: JSONObject) throws(AppStoreServerAPIError) -> AdvancedCommerceOperation {
        let operation: AdvancedCommerceOperation
        let version: String
        do throws(ModelError) {
            var fields = JSONFields(json)
            operation = try fields.require("operation")
            version = try fields.require("version")
        } catch {
            throw .inAdvancedCommerce(error)
        }
        guard version == AdvancedCommerceLimits.requestVersion else { throw .unexpectedVersion }
        return operation
    }
}

extension AdvancedCommerceTransactionInfo {
    fileprivate init(selling request: AdvancedCommerceOneTimeChargeCreateRequest, by caller: AdvancedCommerceCaller) {
        let item = AdvancedCommerceTransactionItem(
            sku: request.item.sku,
            description: request.item.description,
            displayName: request.item.displayName,
            price: request.item.price
        )
        self.init(
            estimatedTax: 0,
            items: [item],
            requestReferenceId: caller.requestReferenceId,
            taxCode: request.taxCode,
            taxExclusivePrice: request.item.price,
            taxRate: "0"
        )
    }
}

extension AdvancedCommerceTerms {
    fileprivate init(selling request: AdvancedCommerceSubscriptionCreateRequest, by caller: AdvancedCommerceCaller) {
        self.init(
            items: request.items.map { Item($0, price: $0.price, offer: $0.offer) },
            descriptors: AdvancedCommerceDescriptors(
                description: request.descriptors.description,
                displayName: request.descriptors.displayName
            ),
            period: request.period,
            taxCode: request.taxCode,
            requestReferenceId: caller.requestReferenceId,
            consistencyToken: ""
        )
    }
}
