import SubscriptionCore
public import SubscriptionStorage

/// A database with rows in every table.
public enum StorageSamples {
    /// The payload of a signed notification: a test, in base64url.
    public static let notification = """
        eyJub3RpZmljYXRpb25UeXBlIjoiVEVTVCIsIm5vdGlmaWNhdGlvblVVSUQiOiIwIiwidmVyc2lvbiI6IjIuMCIsInNpZ25lZERhdGUiOjE3OT\
        AwMDAwMDAwMDB9
        """

    /// Fills the tables of an empty database.
    ///
    /// - Throws: ``StorageError``.
    public static func fill(_ database: any SubscriptionDatabase) async throws(StorageError) {
        for type in SampledTables.all { try await fill(type, database) }
        for app in [Samples.app, Samples.otherApp] {
            for number in 0..<40 { try await fill(app, number, "first", database) }
        }
        try await database.write { storage throws(StorageError) in
            // More transactions than the row of a purchase holds.
            for number in 0..<40 {
                try storage.save(.transaction(Samples.transaction("\(8_000 + number)")), of: Samples.app)
            }
            try storage.save(.development(storeRoots: ["00ff"]))
            try storage.noteDerivation(at: Samples.time(9))
        }
    }

    private static func fill<Record: SampledRecord>(
        _ type: Record.Type,
        _ database: any SubscriptionDatabase
    ) async throws(StorageError) {
        let apps: [AppID?] = type.table.scope == .app ? [Samples.app, Samples.otherApp] : [nil]
        try await database.write { storage throws(StorageError) in
            for app in apps {
                for number in 0..<60 { try storage.insert(once: Record.sample(number), in: app) }
            }
        }
    }

    private static func fill(
        _ app: AppID,
        _ number: Int,
        _ round: String,
        _ database: any SubscriptionDatabase
    ) async throws(StorageError) {
        let customer = CustomerRecord(
            id: CustomerID(number.isMultiple(of: 2) ? "\u{e9}\(number)" : "\",\n\(number)"),
            firstSeenAt: Samples.time(Int64(number)),
            stateVersion: Int64(number)
        )
        // Two inputs about each purchase, and some about purchases without a row.
        let purchase = OriginalTransactionID("\(2_000_000_000_000_000 + number / 2)")
        var evidence = Samples.evidence(
            "notification:\(round) \(number)",
            app: app,
            bytes: Array("header\(number % 3).\(notification).signature\(number)".utf8)
        )
        evidence.purchaseID = number.isMultiple(of: 5) ? nil : purchase
        let claim = ClaimRecord(
            purchaseID: purchase,
            customerID: customer.id,
            evidenceID: evidence.id,
            claimedAt: Samples.time(Int64(number)),
            policy: number.isMultiple(of: 3) ? .keep : .share
        )
        try await database.write { [evidence] storage throws(StorageError) in
            _ = try storage.insert(evidence)
            try storage.countUnknownNotification(
                evidence.type ?? "",
                evidence.subtype,
                receivedAt: evidence.receivedAt,
                of: evidence.appID
            )
            try storage.save(customer, of: app)
            guard !number.isMultiple(of: 7) else { return }
            try storage.save(.transaction(Samples.transaction("\(9_000 + number)", of: purchase)), of: app)
            try storage.save(.renewal(Samples.renewal(of: purchase)), of: app)
            let grant = Grant(
                id: GrantID("gr_\(number)"),
                entitlementID: EntitlementID("vip"),
                reason: number.isMultiple(of: 3) ? nil : "contest",
                grantedAt: Samples.time(1),
                expiresAt: number.isMultiple(of: 2) ? nil : Samples.time(100),
                revokedAt: number.isMultiple(of: 11) ? Samples.time(50) : nil
            )
            let state = GrantState(grant: grant, isActive: !number.isMultiple(of: 11))
            try storage.save(GrantRecord(customerID: customer.id, state: state), of: app)
            let alias = AliasRecord(id: CustomerID("a\(number)"), customerID: customer.id, createdAt: Samples.time(1))
            try storage.save(alias, of: app)
            try storage.append(claim, of: app)
            try storage.share(purchase, with: customer.id, app: app)
            let event = SubscriptionEvent(
                kind: .started,
                occurredAt: Samples.time(Int64(number)),
                purchaseID: purchase,
                productID: ProductID("pro.monthly")
            )
            try storage.append([event], customer: customer, recordedAt: Samples.time(Int64(number)), app: app)
            let record = PurchaseRecord(
                id: purchase,
                customerID: customer.id,
                claim: .submitted,
                evaluatedAt: Samples.time(Int64(number)),
                appTransactionID: number.isMultiple(of: 2) ? nil : "account \(number)"
            )
            try storage.save(record, of: app)
            let definition = EntitlementDefinition(
                id: EntitlementID("pro \(number % 3)"),
                productIDs: [ProductID("pro.monthly"), ProductID("pro.yearly")],
                billingRetryGraceDays: number % 16
            )
            try storage.save(definition, of: app)
        }
    }
}

extension StorageSamples {
    /// Adds evidence and events after those of ``fill(_:)``.
    ///
    /// - Throws: ``StorageError``.
    public static func `continue`(_ database: any SubscriptionDatabase) async throws(StorageError) {
        for number in 100..<140 {
            try await fill(number.isMultiple(of: 2) ? Samples.app : Samples.otherApp, number - 90, "next", database)
        }
    }

    /// The sequence numbers of the evidence about each purchase.
    ///
    /// - Throws: ``StorageError``.
    public static func evidence(_ database: any SubscriptionDatabase) async throws(StorageError) -> [[Int64]] {
        try await database.read { storage throws(StorageError) in
            var found: [[Int64]] = []
            for app in [Samples.app, Samples.otherApp] {
                for number in 0..<40 {
                    let purchase = OriginalTransactionID("\(2_000_000_000_000_000 + number)")
                    found.append(try storage.evidence(about: purchase, of: app, after: 0, limit: 100).map(\.sequence))
                }
            }
            return found
        }
    }
}
