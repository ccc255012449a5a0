import AppStoreModel
package import LocalAppStore
package import SubscriptionCore

/// The properties of a subscription that the store's ledger and the server must agree on.
package struct SubscriptionComparison: Hashable, Sendable {
    package let id: String
    package let status: Int32
    package let access: Bool
    package let product: String
    package let starts: Int64
    package let ends: Int64
    package let renews: Bool
    package let price: Int64

    /// By the store's ledger.
    package init(_ report: SubscriptionReport) {
        id = report.originalTransactionId
        status = report.status.rawValue
        access = report.status == .active || report.status == .billingGracePeriod
        product = report.productId
        starts = report.purchaseDate
        ends = report.expiresDate
        renews = report.autoRenewStatus == .on && [1, 3, 4].contains(report.status.rawValue)
        price = report.price
    }

    /// By the server.
    package init(_ state: SubscriptionState) {
        id = state.id.rawValue
        status =
            switch state.status {
            case .active: 1
            case .expired: 2
            case .inBillingRetry: 3
            case .inGracePeriod: 4
            case .revoked: 5
            }
        access = state.givesAccess
        product = state.productID.rawValue
        starts = state.periodStartsAt.milliseconds
        ends = state.periodEndsAt.milliseconds
        renews = state.autoRenew
        price = state.price?.milliunits ?? -1
    }
}
