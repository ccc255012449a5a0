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
        ConformanceCheck("the index of transactions is read page by page, and its entries are added and removed") {
            database in
            let entries = [("1", "8"), ("1", "9"), ("2", "7"), ("3", "9")].map { id, purchase in
                IndexedTransaction(id: TransactionID(id), purchaseID: OriginalTransactionID(purchase))
            }
            try await database.write { storage throws(StorageError) in
                for entry in entries.reversed() + [entries[0]] { try storage.insert(entry, of: Samples.app) }
                try storage.insert(entries[2], of: Samples.otherApp)
                let fact = Samples.transaction("2", of: OriginalTransactionID("6"))
                try storage.save(.transaction(fact), of: Samples.otherApp)
            }
            let pages = try await database.read { storage throws(StorageError) in
                [
                    try storage.indexedTransactions(of: Samples.app, after: nil, limit: 3),
                    try storage.indexedTransactions(of: Samples.app, after: entries[0], limit: 2),
                    try storage.indexedTransactions(of: Samples.app, after: entries[3], limit: 2),
                ]
            }
            try expectEqual(pages, [Array(entries[..<3]), Array(entries[1..<3]), []], "the pages")
            let left = try await database.write { storage throws(StorageError) in
                try storage.remove(entries[1], of: Samples.app)
                try storage.remove(entries[1], of: Samples.otherApp)
                return try storage.indexedTransactions(of: Samples.app, after: nil, limit: 9)
            }
            try expectEqual(left, [entries[0], entries[2], entries[3]], "the entries that are left")
            let other = try await database.read { storage throws(StorageError) in
                try storage.indexedTransactions(of: Samples.otherApp, after: nil, limit: 9)
            }
            try expectEqual(other.map(\.purchaseID.rawValue), ["6", "7"], "the entries of the other app")
        },
    ]

    private static func listed(_ database: any SubscriptionDatabase, _ app: AppID) async throws -> [ListedProduct] {
        try await database.read { storage throws(StorageError) in try storage.listedProducts(of: app) }
    }
}
