import AppStoreModel

/// How a developer wants items to be refunded.
struct AdvancedCommerceRefundRequest {
    struct Item {
        let sku: String
        let reason: AdvancedCommerceRefundReason
        let type: AdvancedCommerceRefundType
        /// Of a refund of the developer's own amount.
        let amount: Int64?
        let revokes: Bool
    }

    let items: [Item]
    /// Whether Apple asks for consumption data before it decides.
    let asksForConsumption: Bool

    init(_ reader: AdvancedCommerceReader, in environment: AppStoreEnvironment) throws(AppStoreServerAPIError) {
        var items: [Item] = []
        for item in try reader.items() { items.append(try Self.item(item, in: environment)) }
        try AdvancedCommerceReader.checkDistinct(items.map(\.sku))
        let simulated = items.filter { $0.reason == .simulateRefundDecline }
        guard simulated.isEmpty || simulated.count == items.count else { throw .fault(.partialSimulateRefundDecline) }
        asksForConsumption = try reader.flag("refundRiskingPreference", ifAbsent: .nullRefundRisking)
        self.items = items
    }

    private static func item(
        _ reader: AdvancedCommerceReader,
        in environment: AppStoreEnvironment
    ) throws(AppStoreServerAPIError) -> Item {
        let sku = try reader.sku()
        let reason = try reader.refundReason(in: environment)
        let type = try reader.refundType()
        let amount = try reader.integer("refundAmount")
        if type == .custom {
            guard let amount else { throw .fault(.nullRefundAmount) }
            guard amount > 0 else { throw .fault(.negativeRefundAmount) }
        } else if amount != nil {
            throw .fault(.refundAmountWithoutCustom)
        }
        let revokes = try reader.flag("revoke", ifAbsent: .malformedPayload)
        return Item(sku: sku, reason: reason, type: type, amount: amount, revokes: revokes)
    }
}

extension JSONMembers<AdvancedCommerceRules> {
    /// A reason that a developer may give.
    func refundReason(
        in environment: AppStoreEnvironment
    ) throws(AppStoreServerAPIError) -> AdvancedCommerceRefundReason {
        let reason: AdvancedCommerceRefundReason = try word(
            "refundReason",
            ifAbsent: .nullRefundReason,
            ifUnknown: .invalidRefundReason
        )
        // Apple itself gives this one when items were changed.
        guard reason != .modifyItemsRefund else { throw .fault(.invalidRefundReason) }
        guard reason != .simulateRefundDecline || environment != .production else {
            throw .fault(.simulateRefundDeclineOnlyInSandbox)
        }
        return reason
    }

    func refundType() throws(AppStoreServerAPIError) -> AdvancedCommerceRefundType {
        try word("refundType", ifAbsent: .nullRefundType, ifUnknown: .invalidRefundType)
    }
}
