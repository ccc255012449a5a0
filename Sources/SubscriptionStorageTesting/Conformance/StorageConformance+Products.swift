import SubscriptionCore
import SubscriptionStorage

extension StorageConformance {
    static let productChecks = [
        ConformanceCheck("a sold product is recorded once, by identifier, and only in its app") { database in
            let monthly = SoldProduct(
                id: ProductID("pro.monthly"),
                kind: .autoRenewable,
                groupID: SubscriptionGroupID("21000001")
            )
            let lifetime = SoldProduct(id: ProductID("lifetime"), kind: .nonConsumable, groupID: nil)
            let other = SoldProduct(id: ProductID("pro.monthly"), kind: .nonRenewing, groupID: nil)
            try await database.write { storage throws(StorageError) in
                for product in [monthly, lifetime, other] { try storage.noteSale(of: product, app: Samples.app) }
                try storage.noteSale(of: other, app: Samples.otherApp)
            }
            try await database.write { storage throws(StorageError) in
                try storage.noteSale(of: other, app: Samples.app)
            }
            let sold = try await database.read { storage throws(StorageError) in
                (own: try storage.soldProducts(of: Samples.app), other: try storage.soldProducts(of: Samples.otherApp))
            }
            try expectEqual(sold.own, [lifetime, monthly], "the products that were sold")
            try expectEqual(sold.other, [other], "the products of the other app")
        },
        ConformanceCheck("a list of products replaces the previous one, and only its app's") { database in
            let full = ListedProduct(
                id: ProductID("b"),
                kind: .autoRenewable,
                groupID: SubscriptionGroupID("21000001"),
                name: "Pro, by the month"
            )
            let plain = ListedProduct(id: ProductID("a"), kind: .consumable)
            try await database.write { storage throws(StorageError) in
                try storage.replaceListedProducts([full, plain], of: Samples.app)
                try storage.replaceListedProducts([plain], of: Samples.otherApp)
            }
            try expectEqual(try await listed(database, Samples.app), [plain, full], "the list, by identifier")
            let changed = ListedProduct(id: ProductID("b"), kind: .nonConsumable)
            try await database.write { storage throws(StorageError) in
                try storage.replaceListedProducts([changed], of: Samples.app)
            }
            try expectEqual(try await listed(database, Samples.app), [changed], "the list after a change")
            try await database.write { storage throws(StorageError) in
                try storage.replaceListedProducts([], of: Samples.app)
            }
            try expectEqual(try await listed(database, Samples.app), [], "an empty list")
            try expectEqual(try await listed(database, Samples.otherApp), [plain], "the list of the other app")
        },
        ConformanceCheck("a transaction that is not the first finds its purchases, and only its app's") { database in
            let purchases = ["2", "1"].map { OriginalTransactionID($0) }
            try await database.write { storage throws(StorageError) in
                for purchase in purchases {
                    try storage.save(.transaction(Samples.transaction("7", of: purchase)), of: Samples.app)
                    try storage.save(
                        .transaction(Samples.transaction(purchase.rawValue, of: purchase)),
                        of: Samples.app
                    )
                }
                try storage.save(
                    .transaction(Samples.transaction("7", of: OriginalTransactionID("3"))),
                    of: Samples.otherApp
                )
            }
            let found = try await database.read { storage throws(StorageError) in
                (
                    renewal: try storage.purchases(with: TransactionID("7"), app: Samples.app),
                    first: try storage.purchases(with: TransactionID("1"), app: Samples.app),
                    unknown: try storage.purchases(with: TransactionID("8"), app: Samples.app)
                )
            }
            try expectEqual(found.renewal, purchases.sorted(), "the purchases with the transaction")
            try expectEqual(found.first, [], "a first transaction, whose identifier is its purchase's")
            try expectEqual(found.unknown, [], "a transaction that is not known")
        },
    ]

    private static func listed(_ database: any SubscriptionDatabase, _ app: AppID) async throws -> [ListedProduct] {
        try await database.read { storage throws(StorageError) in try storage.listedProducts(of: app) }
    }
}
