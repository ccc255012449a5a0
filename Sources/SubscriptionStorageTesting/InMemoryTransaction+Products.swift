import SubscriptionCore
import SubscriptionStorage

extension InMemoryTransaction {
    func soldProducts(of app: AppID) -> [SoldProduct] {
        contents(of: app).soldProducts.values.sorted { $0.id < $1.id }
    }

    func listedProducts(of app: AppID) -> [ListedProduct] {
        contents(of: app).listedProducts.values.sorted { $0.id < $1.id }
    }

    func purchases(with transaction: TransactionID, app: AppID) -> [OriginalTransactionID] {
        contents(of: app).facts.filter { purchase, facts in
            transaction.rawValue != purchase.rawValue && facts.transactions[transaction] != nil
        }
        .keys.sorted()
    }

    func noteSale(of product: SoldProduct, app: AppID) {
        guard contents(of: app).soldProducts[product.id] == nil else { return }
        change(app) { $0.soldProducts[product.id] = product }
    }

    func replaceListedProducts(_ products: [ListedProduct], of app: AppID) {
        change(app) { contents in
            contents.listedProducts = [:]
            for product in products { contents.listedProducts[product.id] = product }
        }
    }
}
