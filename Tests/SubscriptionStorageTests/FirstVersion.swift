import Foundation
import SubscriptionCore
import SubscriptionStorage
import Testing

/// What the first version wrote, from `Fixtures/databases`: three customers, one of them by an account token, whose
/// card was declined; a purchase that two submitted; a grant; a transfer.
enum FirstVersion {
    /// The statements that make a database of an engine as the first version left it.
    static func dump(_ engine: String) throws -> String {
        try String(
            contentsOf: URL(filePath: #filePath).deletingLastPathComponent()
                .appending(path: "../../Fixtures/databases/first-version-\(engine).sql").standardizedFileURL,
            encoding: .utf8
        )
    }

    /// What later versions read of it.
    private struct Held: Sendable {
        var customers: [CustomerRecord] = []
        var purchases: [PurchaseRecord] = []
        var claims: [ClaimRecord] = []
        var grants: [GrantRecord] = []
        var transfers: [TransferRecord] = []
        var definitions: [EntitlementDefinition] = []
        var settings = AppSettings(transferPolicy: .share)
    }

    /// Reads everything that has new columns since, and writes what the first version's tables would have refused.
    static func check(_ database: any SubscriptionDatabase) async throws {
        let app = AppID("com.example.perennial/sandbox")
        let held = try await database.read { storage throws(StorageError) in
            var held = Held()
            held.customers = try storage.customers(of: app, after: nil, limit: 100)
            for customer in held.customers.map(\.id) {
                held.purchases += try storage.purchases(of: customer, app: app)
                held.grants += try storage.grants(of: customer, app: app)
                held.transfers += try storage.transfers(of: customer, app: app)
            }
            for purchase in held.purchases.map(\.id) { held.claims += try storage.claims(on: purchase, app: app) }
            held.definitions = try storage.entitlementDefinitions(of: app)
            held.settings = try storage.settings(of: app)
            return held
        }
        #expect(held.customers.map(\.id.rawValue).suffix(2) == ["u_ben", "u_new"])
        #expect(held.customers.count == 3)
        #expect(held.customers.allSatisfy { $0.profile.isEmpty && $0.stateVersion > 0 })
        #expect(held.purchases.count == 3)
        #expect(held.purchases.allSatisfy { $0.state != nil })
        #expect(held.claims.map(\.customerID.rawValue).sorted() == ["u_ben", "u_ben", "u_thief"])
        #expect(held.claims.allSatisfy { $0.policy == .keep })
        #expect(held.grants.count == 1)
        #expect(held.transfers.count == 2, "once for each of the two customers")
        let products = [ProductID("lifetime"), ProductID("pro.monthly")]
        #expect(held.definitions == [EntitlementDefinition(id: EntitlementID("pro"), productIDs: products)])
        #expect(held.settings == AppSettings())

        // What was in billing retry had no end by the clock: it is derived again at once.
        let due = try await database.read { storage throws(StorageError) in
            try storage.duePurchases(until: Timestamp(milliseconds: 1_770_454_800_000), limit: 100)
        }
        #expect(due.map(\.id.rawValue) == ["2000000000000001"])

        let claim = try #require(held.claims.first)
        let counts = try await database.write { storage throws(StorageError) in
            try storage.insert(claim, of: app)
            let inserted = try storage.claims(on: claim.purchaseID, app: app).count
            try storage.append(claim, of: app)
            return [inserted, try storage.claims(on: claim.purchaseID, app: app).count]
        }
        let before = held.claims.count { $0.purchaseID == claim.purchaseID }
        #expect(counts == [before, before + 1])
    }
}
