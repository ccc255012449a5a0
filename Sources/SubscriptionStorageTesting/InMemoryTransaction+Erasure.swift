import SubscriptionCore
import SubscriptionStorage

extension InMemoryTransaction {
    func events(about customer: CustomerID, of app: AppID, after sequence: Int64, through end: Int64) -> [EventRecord] {
        contents(of: app).events.filter { event in
            event.customerID == customer && event.sequence > sequence && event.sequence <= end
        }
    }

    func lastEvent(of app: AppID) -> Int64 {
        Int64(contents(of: app).events.count)
    }

    func save(_ event: EventRecord, of app: AppID) {
        change(app) { contents in
            let index = Int(event.sequence) - 1
            if contents.events.indices.contains(index) { contents.events[index] = event }
        }
    }

    func removeClaims(by customer: CustomerID, app: AppID) {
        change(app) { $0.claims.removeAll { $0.customerID == customer } }
    }

    func removeClaims(on purchase: OriginalTransactionID, app: AppID) {
        change(app) { $0.claims.removeAll { $0.purchaseID == purchase } }
    }
}
