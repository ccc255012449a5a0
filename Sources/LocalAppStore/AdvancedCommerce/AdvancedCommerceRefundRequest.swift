import AppStoreModel

/// A developer's request to refund items.
struct AdvancedCommerceRefundRequest {
    struct Item {
        let sku: String
        let reason: AdvancedCommerceRefundReason
        let type: AdvancedCommerceRefundType
        /// Of a refund of a custom amount.
        let amount: Int64?
        let revokes: Bool
    }

    let items: [Item]
    /// Whether Apple requests consumption information before it decides.
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
    /// A reason that developers can give.
    func refundReason(
        in environment: AppStoreEnvironment
    ) throws(AppStoreServerAPIError) -> AdvancedCommerceRefundReason {
        let reason: AdvancedCommerceRefundReason = try value(
            "refundReason",
            ifAbsent: .nullRefundReason,
            ifUnknown: .invalidRefundReason
        )
        // Apple itself uses this one after item changes.
        guard reason != .modifyItemsRefund else { throw .fault(.invalidRefundReason) }
        guard reason != .simulateRefundDecline || environment != .production else {
            throw .fault(.simulateRefundDeclineOnlyInSandbox)
        }
        return reason
    }

    func refundType() throws(AppStoreServerAPIError) -> AdvancedCommerceRefundType {
        try value("refundType", ifAbsent: .nullRefundType, ifUnknown: .invalidRefundType)
    }
}
