import AppStoreModel
import SubscriptionCore
import SubscriptionOperations

extension JSONObject {
    /// An entry of a customer's timeline.
    init(entry: TimelineEntry) {
        self.init()
        self["object"] = .string("timeline_entry")
        self["type"] = .string(entry.type)
        self["at"] = .integer(entry.at.milliseconds)
        self["purchase_id"] = .text(entry.purchaseID?.rawValue)
        self["transaction_id"] = .text(entry.transactionID?.rawValue)
        self["product_id"] = .text(entry.productID?.rawValue)
        self["grant_id"] = .text(entry.grantID?.rawValue)
        self["price"] = entry.price.map { .integer($0.milliunits) } ?? .null
        self["currency"] = .text(entry.price?.currency)
        self["evidence_id"] = .text(entry.evidenceID?.rawValue)
        if let details = entry.details {
            var object = JSONObject()
            for (name, value) in details.sorted(by: { $0.key < $1.key }) { object[name] = .string(value) }
            self["details"] = .object(object)
        }
    }
}
