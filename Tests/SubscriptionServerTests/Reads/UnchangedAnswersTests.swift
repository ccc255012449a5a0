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

/// The server answers 304 from a cache where possible, but never for changed or ended access.
@Suite struct `Unchanged answers` {
    private static let customers = ["u_0", "u_1", "u_2"]
    /// Identifiers that become aliases of one of the customers.
    private static let aliases = ["a_0", "a_1", "u_2"]
    private static let hour: Int64 = 3_600_000
    private static let ownGraceDays: Int64 = 7

    /// The answer for each tag, and the times at which access ends.
    private struct Seen {
        var bodies: [String: [UInt8]] = [:]
        var tags: [String: [String]] = [:]
        var ends: [Int64] = []
        var unchanged = 0
    }

    @Test(arguments: 1...8)
    func `from the cache equal computed answers for any commit and time`(
        seed: UInt64
    ) async throws {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("perennial-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        // A database with one writing process, and one that is read for the version.
        let database: any SubscriptionDatabase =
            seed % 2 == 0
            ? try SQLiteDatabase.open(path: folder.appendingPathComponent("perennial.db").path) : InMemoryDatabase()
        let server = try await ServerFixture(database: database)
        var random = SplitMix64(seed: seed)
        var seen = Seen()
        for step in 0..<240 {
            switch random.number(0...14) {
            case 0, 1: try await submit(step, server, &random, &seen)
            case 2: try await grant(server, &random, &seen)
            case 3: try await define(server, &random)
            case 4:
                let due = DuePurchases(database: database, policy: AccessPolicy())
                _ = try await due.settle(until: server.time.now())
            case 5, 6: advance(server, &random, seen)
            case 7: try await setPolicy(server, &random)
            case 8: try await update(step, server, &random)
            case 9: try await failRenewal(step, server, &random)
            default: try await compare(server, &random, &seen)
            }
        }
        #expect(seen.unchanged > 0, "nothing was ever unchanged: seed \(seed)")
        try await database.close()
    }

    private func submit(_ step: Int, _ server: ServerFixture, _ random: inout SplitMix64, _ seen: inout Seen)
        async throws
    {
        let now = server.time.now().milliseconds
        let original = "20000000000000\(random.number(10...15))"
        var period = SignedApple.period(
            id: random.number(0...2) == 0 ? original : "2000000000001\(100 + step)",
            original: original,
            signedAt: now
        )
        period.purchaseDate = now - Self.hour
        period.expiresDate = now + Int64(random.number(1...500)) * Self.hour
        if random.number(0...5) == 0 { period.revocationDate = now }
        if random.number(0...3) == 0 { period.subscriptionGroupIdentifier = "21000002" }
        let end = period.expiresDate ?? now
        seen.ends += [end, end + Self.ownGraceDays * 24 * Self.hour]
        let customer = Self.customers[random.number(0...2)]
        let answer = try await server.submit(try server.apple.sign(period), customer: customer)
        #expect([200, 409].contains(answer.status))
    }

    private func grant(_ server: ServerFixture, _ random: inout SplitMix64, _ seen: inout Seen) async throws {
        let path = "/v1/customers/\(Self.customers[random.number(0...2)])/grants"
        let grants = try await server.send(.get, path).objects("data")
        if random.number(0...2) == 0, case .string(let id)? = grants.last?["id"] {
            #expect(try await server.send(.delete, "\(path)/\(id)").status == 200)
            return
        }
        let end = server.time.now().milliseconds + Int64(random.number(1...300)) * Self.hour
        seen.ends.append(end)
        let body = #"{"entitlement_id":"pro","expires_at":\#(end)}"#
        // Refused if other entitlements are defined and this one is not.
        #expect([200, 400].contains(try await server.send(.post, path, body: body).status))
    }

    private func define(_ server: ServerFixture, _ random: inout SplitMix64) async throws {
        let name = ["pro", "plus"][random.number(0...1)]
        let product = ["pro.monthly", "another"][random.number(0...1)]
        let days = Self.ownGraceDays * Int64(random.number(0...1))
        let body = #"{"product_ids":["\#(product)"],"billing_retry_grace_days":\#(days)}"#
        #expect(try await server.send(.put, "/v1/entitlements/\(name)", body: body).status == 200)
    }

    /// Sets a random transfer policy.
    private func setPolicy(_ server: ServerFixture, _ random: inout SplitMix64) async throws {
        let policy = TransferPolicy.allCases[random.number(0...3)].rawValue
        let body = #"{"transfer_policy":"\#(policy)"}"#
        #expect(try await server.send(.patch, "/v1/app", body: body).status == 200)
    }

    /// Adds an alias or an attribute.
    private func update(_ step: Int, _ server: ServerFixture, _ random: inout SplitMix64) async throws {
        let path = "/v1/customers/\(Self.customers[random.number(0...1)])"
        if random.number(0...2) == 0 {
            let body = #"{"alias":"\#(Self.aliases[random.number(0...2)])"}"#
            #expect([200, 409].contains(try await server.send(.post, path + "/aliases", body: body).status))
        } else {
            let body = #"{"attributes":{"step":"\#(step)"}}"#
            #expect(try await server.send(.patch, path + "/attributes", body: body).status == 200)
        }
    }

    /// Delivers a failed renewal.
    private func failRenewal(_ step: Int, _ server: ServerFixture, _ random: inout SplitMix64) async throws {
        let now = server.time.now().milliseconds
        let original = "20000000000000\(random.number(10...15))"
        let renewal = Sample.renewal(signed: 0) { renewal in
            renewal.originalTransactionId = original
            renewal.signedDate = now
            renewal.isInBillingRetryPeriod = true
            renewal.expirationIntent = .billingError
        }
        let notification = SentNotification(.didFailToRenew, day: 0) { server, payload in
            var data = NotificationData(bundleId: ServerFixture.bundle, environment: .production)
            data.appAppleId = ServerFixture.appleID
            data.status = .billingRetry
            data.signedRenewalInfo = try server.apple.sign(renewal)
            payload.signedDate = now
            payload.data = data
        }
        #expect(try await server.notify(try notification.signed(at: server, number: step)).status == 200)
    }

    /// Often advances to the end of an access, or to one millisecond before.
    private func advance(_ server: ServerFixture, _ random: inout SplitMix64, _ seen: Seen) {
        let now = server.time.now().milliseconds
        let end = seen.ends.filter { $0 > now }.min()
        let target = random.number(0...2) == 0 ? nil : end
        let time = (target ?? now + Int64(random.number(1...100)) * Self.hour) - Int64(random.number(0...1))
        server.time.advance(to: Timestamp(milliseconds: time))
    }

    private func compare(_ server: ServerFixture, _ random: inout SplitMix64, _ seen: inout Seen) async throws {
        let names = Self.customers + Self.aliases
        let name = names[random.number(0...names.count - 1)]
        let path = "/v1/customers/\(name)" + ["", "/entitlements"][random.number(0...1)]
        // A server without a cache.
        let fresh = try await ServerFixture(database: server.database, apple: server.apple)
        fresh.time.advance(to: server.time.now())
        let expected = try await fresh.send(.get, path)
        var headers: HTTPFields = [:]
        let tags = seen.tags[path] ?? []
        if !tags.isEmpty { headers[.ifNoneMatch] = tags[random.number(max(0, tags.count - 3)...tags.count - 1)] }
        let answer = try await server.send(.get, path, headers: headers)
        guard expected.status == 200 else {
            #expect(answer.status == expected.status)
            return
        }
        let lasting = try Self.lasting(expected)
        let tag = try #require(answer.headers[.eTag])
        if answer.status == 304 {
            seen.unchanged += 1
            #expect(headers[.ifNoneMatch] == tag)
            #expect(seen.bodies[path + tag] == lasting)
        } else {
            #expect(try Self.lasting(answer) == lasting)
            #expect(seen.bodies[path + tag, default: lasting] == lasting)
            #expect(answer.headers[.eTag] == expected.headers[.eTag])
            seen.bodies[path + tag] = lasting
            seen.tags[path, default: []].append(tag)
        }
    }

    /// The answer without the time of evaluation.
    private static func lasting(_ answer: Answer) throws -> [UInt8] {
        var object = try answer.json()
        object["evaluated_at"] = nil
        return object.serialize()
    }

    @Test func `include commits of other processes where several write`() async throws {
        let database = InMemoryDatabase()
        let here = try await ServerFixture(database: database)
        let there = try await ServerFixture(database: database, apple: here.apple)
        _ = try await here.submit(try here.apple.sign(SignedApple.period()), customer: "u_42")
        let path = "/v1/customers/u_42/entitlements"
        let tag = try #require(try await here.send(.get, path).headers[.eTag])
        #expect(try await here.send(.get, path, headers: [.ifNoneMatch: tag]).status == 304)
        let body = #"{"entitlement_id":"extra"}"#
        #expect(try await there.send(.post, "/v1/customers/u_42/grants", body: body).status == 200)
        let after = try await here.send(.get, path, headers: [.ifNoneMatch: tag])
        #expect(after.status == 200)
        #expect(try after.bool("entitlements", "extra", "active") == true)
    }

    @Test func `have separate tags with an explanation and for the past`() async throws {
        let server = try await ServerFixture()
        _ = try await server.submit(try server.apple.sign(SignedApple.period()), customer: "u_42")
        let path = "/v1/customers/u_42"
        var tags: Set<String> = []
        for query in ["", "/entitlements", "?explain=true", "?as_of=\(ServerFixture.now - 500)"] {
            let tag = try #require(try await server.send(.get, path + query).headers[.eTag])
            #expect(try await server.send(.get, path + query, headers: [.ifNoneMatch: tag]).status == 304)
            tags.insert(tag)
        }
        #expect(tags.count == 4)
    }
}

extension SplitMix64 {
    fileprivate mutating func number(_ range: ClosedRange<Int>) -> Int { .random(in: range, using: &self) }
}
