package import AppStoreModel
package import SubscriptionCore
package import SubscriptionStorage

extension EventRecord {
    /// The identifier of the event in the API: `evt_` and the position after it.
    package func publicID(of app: AppID) -> String { "evt_" + cursor(of: app).text }
}

extension JSONObject {
    /// An event in the form of the API.
    package init(event record: EventRecord, app: AppID) {
        let event = record.event
        self.init()
        self["object"] = .string("event")
        self["id"] = .string(record.publicID(of: app))
        self["type"] = .string(event.kind.rawValue)
        self["occurred_at"] = .integer(event.occurredAt.milliseconds)
        self["recorded_at"] = .integer(record.recordedAt.milliseconds)
        self["app_user_id"] = .text(record.customerID?.rawValue)
        self["state_version"] = record.stateVersion.map { .integer($0) } ?? .null
        self["purchase_id"] = .text(event.purchaseID?.rawValue)
        self["transaction_id"] = .text(event.transactionID?.rawValue)
        self["product_id"] = .text(event.productID?.rawValue)
        self["price"] = event.price.map { .integer($0.milliunits) } ?? .null
        self["proceeds"] = event.proceeds.map { .integer($0.milliunits) } ?? .null
        self["currency"] = .text(event.price?.currency)
        self["entitlement"] = event.entitlement.map { .object(JSONObject(eventEntitlement: $0)) } ?? .null
        if let details = event.details {
            var object = JSONObject()
            for (name, value) in details.sorted(by: { $0.key < $1.key }) { object[name] = .string(value) }
            self["details"] = .object(object)
        }
    }

    /// The whole entitlement, with its identifier.
    private init(eventEntitlement entitlement: Entitlement) {
        self.init()
        self["id"] = .string(entitlement.id.rawValue)
        for member in JSONObject(entitlement: entitlement).members { self[member.key] = member.value }
    }
}
