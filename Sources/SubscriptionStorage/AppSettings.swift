public import SubscriptionCore

/// What an app's developer decided, for one environment.
public struct AppSettings: Hashable, Sendable {
    /// What happens when a customer submits a purchase that another one has.
    public var transferPolicy: TransferPolicy

    /// Makes settings; by default a purchase stays with whoever submitted it first.
    public init(transferPolicy: TransferPolicy = .keep) {
        self.transferPolicy = transferPolicy
    }
}
