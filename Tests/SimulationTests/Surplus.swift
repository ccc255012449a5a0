import SubscriptionCore
import SubscriptionOperations
import SubscriptionStorage

/// A row that no input contains and that belongs to no purchase: a rebuild reports it and does not repair it.
enum Surplus: String, CaseIterable, Sendable {
    case product, count

    /// The code of the difference.
    var code: RebuildDifference.Code {
        switch self {
        case .product: .soldProductDiffers
        case .count: .unknownNotificationsDiffer
        }
    }

    func add(to storage: any StorageWriting, app: AppID) throws(StorageError) {
        switch self {
        case .product:
            let product = SoldProduct(id: ProductID("invented"), kind: .consumable, groupID: nil)
            try storage.noteSale(of: product, app: app)
        case .count:
            let time = Timestamp(milliseconds: 1_770_000_000_000)
            try storage.countUnknownNotification("INVENTED", nil, receivedAt: time, of: app)
        }
    }
}
