import AppStoreModel
import Foundation
import HTTPTypes
import PerennialPrimitives
import SubscriptionCore
import SubscriptionOperations
import SubscriptionStorage
import SubscriptionStorageSQLite
import SubscriptionStorageTesting
import Testing

/// Claims under every policy, late facts, transfers, undos, aliases and erasures, in random order. After each step, the
/// feed has reported every gain and loss of access.
@Suite struct `Random ownership histories` {
    @Test(arguments: 1...24)
    func `report every change of access, and access changes only by an operation`(seed: UInt64) async throws {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("perennial-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let database: any SubscriptionDatabase =
            seed % 4 == 0
            ? try SQLiteDatabase.open(path: folder.appendingPathComponent("perennial.db").path) : InMemoryDatabase()
        var simulation = try OwnershipSimulation(server: try await ServerFixture(database: database), seed: seed)
        try await simulation.begin()
        for step in 0..<50 {
            try await simulation.advance()
            try await simulation.expectFeedMatchesAnswers("step \(step) of seed \(seed)")
            if step % 2 == 0 { try await simulation.expectNoChange("step \(step) of seed \(seed)") }
            if step % 5 == 0 { try await simulation.expectNothingToRebuild("step \(step) of seed \(seed)") }
        }
        try await database.close()
    }

    /// The claims keep their times, and the facts arrive with different delays. The result is the same.
    @Test(arguments: 1...60)
    func `end with the same owners when facts arrive late`(seed: UInt64) async throws {
        var ends: [[String]] = []
        for delays in [0, 4, 100] {
            var simulation = try OwnershipSimulation(server: try await ServerFixture(), seed: seed)
            var late: [(step: Int, signed: String)] = []
            var delay = SplitMix64(seed: seed)
            for step in 0..<16 {
                let (fact, claim) = try simulation.factAndClaim()
                if let fact {
                    let number = Int(delay.next() >> 33)
                    late.append((step + (delays == 0 ? 0 : number % delays), fact))
                }
                for fact in late where fact.step == step { try await simulation.deliver(fact.signed) }
                if let claim { try await simulation.claim(claim.customer, claim.policy) }
            }
            for fact in late where fact.step >= 16 { try await simulation.deliver(fact.signed) }
            ends.append(try await simulation.holders())
        }
        #expect(ends[0] == ends[1] && ends[0] == ends[2], "seed \(seed): \(ends)")
    }
}

/// A server, the operations on it, and the events of its feed.
struct OwnershipSimulation {
    private static let tokens = ["00000000-0000-4000-8000-00000000000a", "00000000-0000-4000-8000-00000000000b"]
    private static let names = ["u_0", "u_1", "u_2"] + tokens
    private static let purchases = ["2000000000000001", "2000000000000002"]
    private static let second: Int64 = 1000
    /// Before all later facts.
    private static let beginning = ServerFixture.now - 1

    let server: ServerFixture
    private var transfers: [String] = []
    /// The transaction on the device, the same each time.
    private let signed: String
    private var random: SplitMix64
    private var number = 0
    /// The position in the feed, and the access that it reported, by customer.
    private var position: Int64 = 0
    private var reported: [String: Bool] = [:]
    /// The last answer, by customer.
    private var seen: [String: (tag: String, body: [UInt8])] = [:]

    init(server: ServerFixture, seed: UInt64) throws {
        self.server = server
        signed = try server.apple.sign(SignedApple.period())
        random = SplitMix64(seed: seed)
    }

    /// Delivers the first facts of both purchases.
    mutating func begin() async throws {
        for purchase in Self.purchases { try await deliver(try fact(purchase, signedAt: Self.beginning, false)) }
    }

    private var now: Int64 { server.time.now().milliseconds }

    // MARK: Operations

    mutating func advance() async throws {
        server.time.advance(to: Timestamp(milliseconds: now + Self.second))
        switch Int.random(in: 0..<16, using: &random) {
        case 0..<7:
            let policies = [.share, .share] + TransferPolicy.allCases
            try await claim(random.one(of: Self.names), random.one(of: policies))
        case 7..<9:
            // Often signed long before it arrives.
            let age = Int64.random(in: 0...20, using: &random) * Self.second
            try await deliver(
                try fact(
                    random.one(of: Self.purchases),
                    signedAt: max(ServerFixture.now, now - age),
                    random.one(of: [true, false, false])
                )
            )
        case 9..<12: try await transfer(random.one(of: try await owners()), random.one(of: Self.names))
        case 12, 13:
            guard let id = transfers.randomElement(using: &random) else { return }
            #expect([200, 409].contains(try await server.send(.post, "/v1/transfers/\(id)/undo").status))
        case 14: try await alias(random.one(of: Self.names), of: random.one(of: Self.names))
        default:
            let name = random.one(of: Self.names)
            #expect(try await server.send(.delete, "/v1/customers/\(name)").status == 200)
        }
    }

    /// The fact and the claim of one step without operators.
    mutating func factAndClaim() throws -> (fact: String?, claim: (customer: String, policy: TransferPolicy)?) {
        server.time.advance(to: Timestamp(milliseconds: now + Self.second))
        var signedFact: String?
        if Int.random(in: 0..<3, using: &random) == 0 {
            signedFact = try fact(Self.purchases[0], signedAt: now - 500, random.one(of: [true, false]))
        }
        guard random.one(of: [true, true, false]) else { return (signedFact, nil) }
        let policies = [.transferIfInactive, .transferIfInactive, .share] + TransferPolicy.allCases
        return (signedFact, (random.one(of: Self.names), random.one(of: policies)))
    }

    func claim(_ customer: String, _ policy: TransferPolicy) async throws {
        let body = #"{"transfer_policy":"\#(policy.rawValue)"}"#
        #expect(try await server.send(.patch, "/v1/app", body: body).status == 200)
        #expect([200, 409].contains(try await server.submit(signed, customer: customer).status))
    }

    /// A notification about a purchase: a refund, or its reversal.
    private mutating func fact(_ purchase: String, signedAt: Int64, _ isRevoked: Bool) throws -> String {
        number += 1
        // The second purchase has an account token, which varies.
        let token = purchase == Self.purchases[1] ? Self.tokens[Int(signedAt / Self.second) % 2] : nil
        var period = SignedApple.period(id: purchase, original: purchase, token: token, signedAt: signedAt)
        if isRevoked {
            period.revocationDate = signedAt
            period.revocationReason = .other
        }
        var data = NotificationData(bundleId: period.bundleId, environment: period.environment)
        data.appAppleId = ServerFixture.appleID
        data.status = isRevoked ? .revoked : .active
        data.signedTransactionInfo = try server.apple.sign(period)
        let payload = ResponseBodyV2DecodedPayload(
            notificationType: isRevoked ? .refund : .refundReversed,
            notificationUUID: "00000000-0000-4000-8000-" + String(String(number + 1_000_000_000_000).suffix(12)),
            version: "2.0",
            signedDate: signedAt,
            data: data
        )
        return try server.apple.sign(payload)
    }

    func deliver(_ signed: String) async throws {
        #expect(try await server.notify(signed).status == 200)
    }

    private mutating func transfer(_ from: String, _ to: String) async throws {
        let answer = try await server.send(.post, "/v1/transfers", body: #"{"from":"\#(from)","to":"\#(to)"}"#)
        #expect([200, 400, 409].contains(answer.status))
        if answer.status == 200, let id = try answer.string("id") { transfers.append(id) }
    }

    private mutating func alias(_ alias: String, of customer: String) async throws {
        let body = #"{"alias":"\#(alias)"}"#
        let answer = try await server.send(.post, "/v1/customers/\(customer)/aliases", body: body)
        #expect([200, 400, 409].contains(answer.status))
    }

    private func owners() async throws -> [String] {
        let owners = try await server.database.read { storage throws(StorageError) in
            try Self.purchases.map { id throws(StorageError) in
                try storage.purchase(OriginalTransactionID(id), of: ServerFixture.app)?.customerID?.rawValue
            }
        }
        return owners.compactMap(\.self) + Self.names.suffix(1)
    }

    // MARK: Expectations

    /// The customers who have the purchase, the owner first.
    func holders() async throws -> [String] {
        let purchase = OriginalTransactionID(Self.purchases[0])
        return try await server.database.read { storage throws(StorageError) in
            let owner = try storage.purchase(purchase, of: ServerFixture.app)?.customerID?.rawValue
            return [owner ?? "-"] + (try storage.sharers(of: purchase, app: ServerFixture.app)).map(\.rawValue)
        }
    }

    /// The events of each customer match the answer, and a changed answer has another entity tag.
    mutating func expectFeedMatchesAnswers(_ comment: Comment) async throws {
        try await readFeed()
        for name in Self.names {
            let answer = try await server.send(.get, "/v1/customers/\(name)/entitlements")
            guard answer.status == 200 else {
                seen[name] = nil
                continue
            }
            var object = try answer.json()
            object["evaluated_at"] = nil
            let body = object.serialize()
            let newTag = try #require(answer.headers[.eTag])
            if let last = seen[name] { #expect((last.tag == newTag) == (last.body == body), comment) }
            seen[name] = (newTag, body)
            let isActive = try answer.bool("entitlements", "21000001", "active") ?? false
            let customer = try await customer(name)
            #expect(reported[customer, default: false] == isActive, "\(customer), \(comment)")
        }
    }

    private mutating func readFeed() async throws {
        let position = position
        let events = try await server.database.read { storage throws(StorageError) in
            try storage.events(of: ServerFixture.app, after: position, limit: 1000)
        }
        self.position = events.last?.sequence ?? position
        for record in events {
            guard let customer = record.customerID?.rawValue else { continue }
            switch record.event.kind {
            case .entitlementGranted, .entitlementExtended: reported[customer] = true
            case .entitlementWithdrawn: reported[customer] = false
            default: break
            }
        }
        // An erased identifier is a new customer.
        for name in reported.keys {
            let isKnown = try await server.database.read { storage throws(StorageError) in
                try storage.customer(CustomerID(name), of: ServerFixture.app) != nil
            }
            if !isKnown { reported[name] = nil }
        }
    }

    /// The customer of an identifier.
    private func customer(_ name: String) async throws -> String {
        try await server.database.read { storage throws(StorageError) in
            try storage.alias(CustomerID(name), of: ServerFixture.app)?.customerID.rawValue ?? name
        }
    }

    /// An older fact causes a new evaluation of the owner, which equals the stored one.
    mutating func expectNoChange(_ comment: Comment) async throws {
        for purchase in Self.purchases {
            let before = try await state(of: OriginalTransactionID(purchase))
            try await deliver(try fact(purchase, signedAt: Self.beginning - 1, false))
            let after = try await state(of: OriginalTransactionID(purchase))
            #expect(after == before, comment)
        }
    }

    /// Facts, states and owners follow from the evidence and the claims.
    func expectNothingToRebuild(_ comment: Comment) async throws {
        #expect(try await server.rebuildDifferences() == [], comment)
    }

    private func state(of purchase: OriginalTransactionID) async throws -> [String] {
        try await server.database.read { storage throws(StorageError) in
            let app = ServerFixture.app
            let versions = try storage.customers(of: app, after: nil, limit: 100)
                .map { "\($0.id.rawValue) \($0.stateVersion)" }
            let owner = try storage.purchase(purchase, of: app)
            return versions + (try storage.sharers(of: purchase, app: app)).map(\.rawValue)
                + ["\(owner?.customerID?.rawValue ?? "-") \(owner?.claim?.rawValue ?? "-")"]
                + ["\(try storage.lastEvent(of: app))"]
        }
    }
}
