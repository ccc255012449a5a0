import AppStoreModel
package import LocalAppStore
package import SubscriptionCore

/// The properties of a subscription that the store's ledger and the server must agree on.
package struct SubscriptionComparison: Hashable, Sendable {
    package let id: String
    package let status: Int32
    package let access: Bool
    package private(set) var product: String
    package private(set) var starts: Int64
    package private(set) var ends: Int64
    package let renews: Bool
    package private(set) var price: Int64

    /// By the store's ledger at a time. A period that was charged early and has not begun does not count yet.
    package init(_ report: SubscriptionReport, of account: AccountReport, at now: Int64) {
        self.init(report)
        let begun = account.transactions.filter {
            $0.originalTransactionId == id && $0.purchaseDate <= now && $0.revocationDate == nil
        }
        guard access, starts > now, let running = begun.max(by: { $0.purchaseDate < $1.purchaseDate }) else { return }
        product = running.productId
        starts = running.purchaseDate
        ends = running.expiresDate ?? ends
        price = running.price
    }

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
