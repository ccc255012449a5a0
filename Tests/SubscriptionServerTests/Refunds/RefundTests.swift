import AppStoreModel
import HTTPTypes
import SubscriptionCore
import SubscriptionOperations
import SubscriptionServer
import SubscriptionStorage
import Testing

/// What customers got back: stored with the facts, and listed with the owner of the purchase.
@Suite(.timeLimit(.minutes(5)))
struct `Refunds` {
    @Test func `are listed with product, customer, amount and reasons, for secret keys of the app only`() async throws {
        let scene = try await RefundScene()
        try await scene.submit(Sample.period(0, signed: 0))
        for (number, notification) in RefundScene.history().prefix(3).enumerated() {
            try await scene.send(notification, number: number)
        }
        let refund = try #require(try await scene.list().first)
        let expected: [String: JSONValue] = [
            "object": "refund", "transaction_id": .string(Sample.original), "purchase_id": .string(Sample.original),
            "app_user_id": "u_42", "owner_unreadable": false, "product_id": "pro.monthly", "storefront": "USA",
            "purchased_at": .integer(Sample.time(0)), "price": 9990, "currency": "USD", "amount": 9990,
            "type": "refund", "percentage": 100_000, "refunded_at": .integer(Sample.time(5)), "reason": "app_issue",
            "requested_at": .integer(Sample.time(4)), "requested_because": "unintended_purchase",
            "reversed_at": .null,
        ]
        for (name, value) in expected { #expect(refund[name] == value, "\(name)") }
        #expect(refund.count == expected.count)
        let path = "/v1/refunds"
        #expect(try await scene.server.send(.get, path, key: ServerFixture.publishable).status == 403)
        #expect(try await scene.server.send(.get, path, key: ServerFixture.sandboxSecret).count("data") == 0)
        #expect(try await scene.server.rebuildDifferences() == [])
    }

    @Test func `that are reversed give back what was taken, and stay in the list`() async throws {
        let scene = try await RefundScene()
        try await scene.submit(Sample.period(0, signed: 0))
        try await scene.submit(Sample.period(1, signed: 30))
        func isActive() async throws -> Bool? {
            try await scene.server.send(.get, "/v1/customers/u_42").bool("entitlements", "21000001", "active")
        }
        #expect(try await isActive() == true)
        let refunded = Sample.period(1, signed: 40, RefundScene.refund(onDay: 40))
        try await scene.send(SentNotification(.refund, day: 40, status: .revoked, transaction: refunded), number: 1)
        #expect(try await isActive() == false)
        #expect(try await scene.list().map { $0["reversed_at"] } == [.null])
        let back = SentNotification(
            .refundReversed,
            day: 41,
            status: .active,
            transaction: Sample.period(1, signed: 41)
        )
        try await scene.send(back, number: 2)
        #expect(try await isActive() == true)
        #expect(try await scene.list().map { $0["reversed_at"] } == [.integer(Sample.time(41))])
        let revenue = try await scene.server.events().compactMap(\.event.price?.milliunits).reduce(0, +)
        #expect(revenue == 2 * 9990)
    }

    /// Each order is that of another purchase.
    @Test(arguments: TestEngine.allCases)
    func `are the same in every order of arrival, with duplicates`(engine: TestEngine) async throws {
        let opened = try await engine.open()
        do {
            let scene = try await RefundScene(opened.database)
            let orders = permutations(of: [0, 1, 2, 3])
            for (number, order) in orders.enumerated() {
                let id = "\(3_000_000_000_000_100 + number)"
                let history = RefundScene.history(of: id)
                for step in order + order { try await scene.send(history[step], number: 10 * number + step) }
                let stored = try await scene.stored(id)
                let refund = try #require(stored.refunds.first)
                #expect(stored.refunds.count == 1)
                #expect(refund.refundedAt == Timestamp(milliseconds: Sample.time(5)), "\(order)")
                #expect(refund.reversedAt == Timestamp(milliseconds: Sample.time(6)), "\(order)")
                let request = try #require(stored.requests.first)
                #expect(stored.requests.count == 1)
                #expect(request.requestedAt == Timestamp(milliseconds: Sample.time(4)), "\(order)")
                #expect(request.reason == "unintended_purchase", "\(order)")
                #expect(request.declinedAt == Timestamp(milliseconds: Sample.time(3)), "\(order)")
            }
            #expect(try await scene.list().count == orders.count)
            #expect(try await scene.server.rebuildDifferences() == [])
            try await opened.close()
        } catch {
            try await opened.close()
            throw error
        }
    }

    @Test func `do not include the end of sharing, the rest of a replaced period, or some of the seats`() async throws {
        let scene = try await RefundScene()
        let shared = Sample.purchase(.nonConsumable, signed: 5) { payload in
            payload.inAppOwnershipType = .familyShared
            payload.revocationDate = Sample.time(5)
            payload.revocationType = .familyRevoke
        }
        let replaced = Sample.period(0, signed: 5) { payload in
            payload.isUpgraded = true
            payload.revocationDate = Sample.time(5)
            payload.revocationType = .proratedRefund
            payload.revocationPercentage = 50_000
        }
        let seats = Sample.period(1, signed: 31) { $0.quantity = 5 }
        try await scene.send(SentNotification(.revoke, day: 5, transaction: shared), number: 1)
        try await scene.send(SentNotification(.refund, day: 5, status: .active, transaction: replaced), number: 2)
        try await scene.send(SentNotification(.refund, .seats, day: 31, status: .active, transaction: seats), number: 3)
        #expect(try await scene.list().isEmpty)
        #expect(try await scene.server.rebuildDifferences() == [])
    }

    @Test func `of a purchase that cannot be read are listed without its owner`() async throws {
        let scene = try await RefundScene()
        let (damaged, other) = ("3000000000000100", "3000000000000101")
        for (number, id) in [damaged, other].enumerated() {
            for (step, notification) in RefundScene.history(of: id).enumerated() {
                try await scene.send(notification, number: 10 * number + step)
            }
        }
        let database = DamagedDatabase(
            base: scene.server.database,
            unreadable: OriginalTransactionID(damaged),
            damagesReads: true
        )
        let page = try await RefundReading(database: database)
            .refunds(RefundSelection(), app: ServerFixture.app, limit: 10)
        let unreadable = page.entries.filter(\.isOwnerUnreadable).map(\.refund.purchaseID.rawValue)
        #expect(unreadable == [damaged])
        #expect(Set(page.entries.map(\.refund.purchaseID.rawValue)) == [damaged, other])
    }

    @Test func `of a part of the price have its amount`() async throws {
        let scene = try await RefundScene()
        let half = Sample.period(0, signed: 5) { payload in
            RefundScene.refund(onDay: 5)(&payload)
            payload.revocationType = .proratedRefund
            payload.revocationPercentage = 50_000
        }
        try await scene.send(SentNotification(.refund, day: 5, status: .active, transaction: half), number: 1)
        let refund = try #require(try await scene.list().first)
        #expect(refund["price"] == 9990)
        #expect(refund["amount"] == 4995)
        #expect(refund["type"] == "prorated_refund")
        #expect(refund["app_user_id"] == .null)
    }

    @Test func `lose their customer by an erasure, and nothing else`() async throws {
        let scene = try await RefundScene()
        try await scene.submit(Sample.period(0, signed: 0))
        try await scene.send(RefundScene.history()[2], number: 1)
        let before = try await scene.list()
        #expect(before.map { $0["app_user_id"] } == ["u_42"])
        #expect(try await scene.list("?app_user_id=u_42").count == 1)
        #expect(try await scene.server.send(.delete, "/v1/customers/u_42").status == 200)
        var expected = try #require(before.first)
        expected["app_user_id"] = .null
        #expect(try await scene.list() == [expected])
        #expect(try await scene.list("?app_user_id=u_42").isEmpty)
        #expect(try await scene.server.send(.get, "/v1/customers/u_42/refunds").errorCode() == "customer_not_found")
    }

    @Test func `are listed newest first, in pages, by time, product and customer`() async throws {
        let scene = try await RefundScene()
        for number in 0..<5 as Range<Int64> {
            let id = "300000000000000\(number)"
            let payload = Sample.purchase(.consumable, signed: 1) { payload in
                (payload.transactionId, payload.originalTransactionId) = (id, id)
                payload.productId = number == 0 ? "coins" : "gems"
                payload.purchaseDate = Sample.time(0)
            }
            try await scene.submit(payload, customer: number < 2 ? "u_1" : "u_2")
            var refunded = payload
            refunded.signedDate = Sample.time(10 + number)
            // Two have the same time.
            RefundScene.refund(onDay: 10 + min(number, 3))(&refunded)
            try await scene.send(SentNotification(.refund, day: 20, transaction: refunded), number: Int(number))
        }
        func ids(_ query: String) async throws -> [String?] {
            try await scene.list(query).map { $0["transaction_id"]?.stringValue?.last.map { String($0) } }
        }
        #expect(try await ids("") == ["4", "3", "2", "1", "0"])
        var paged: [String?] = []
        var path = "/v1/refunds?limit=2"
        for _ in 0..<5 {
            let page = try await scene.server.send(.get, path)
            paged += try page.objects("data").map { $0["transaction_id"]?.stringValue?.last.map { String($0) } }
            guard let cursor = try page.string("next_cursor") else { break }
            #expect(try page.bool("has_more") == true)
            path = "/v1/refunds?limit=2&after=\(cursor)"
        }
        #expect(paged == ["4", "3", "2", "1", "0"])
        #expect(try await ids("?product_id=coins") == ["0"])
        #expect(try await ids("?product_id=gems&from=\(Sample.time(12))") == ["4", "3", "2"])
        #expect(try await ids("?from=\(Sample.time(11))&to=\(Sample.time(13))") == ["2", "1"])
        #expect(try await ids("?app_user_id=u_1") == ["1", "0"])
        #expect(try await ids("?app_user_id=u_2&product_id=gems&to=\(Sample.time(13))&limit=1") == ["2"])
        #expect(try await ids("?app_user_id=nobody").isEmpty)
        let wrong = [
            "limit=0", "limit=101", "after=zz", "after=00", "from=yesterday", "product_id=", "app_user_id=",
            "from=\(Sample.time(2))&to=\(Sample.time(2))",
        ]
        for query in wrong {
            let answer = try await scene.server.send(.get, "/v1/refunds?\(query)")
            #expect(answer.status == 400)
            #expect(try answer.errorCode() == "parameter_invalid", "\(query)")
        }
    }

    /// Tables without rows, as an earlier version left them.
    @Test(arguments: TestEngine.allCases)
    func `that were stored by an earlier version are read from its facts and events`(engine: TestEngine) async throws {
        let opened = try await engine.open()
        do {
            let scene = try await RefundScene(opened.database)
            let ids = ["3000000000000101", "3000000000000102"]
            for (number, id) in ids.enumerated() {
                // One refund stands, and the other is reversed.
                for (step, notification) in RefundScene.history(of: id).prefix(3 + number).enumerated() {
                    try await scene.send(notification, number: 10 * number + step)
                }
            }
            let before = [try await scene.stored(ids[0]), try await scene.stored(ids[1])]
            #expect(before.map { $0.refunds.map { $0.reversedAt == nil } } == [[true], [false]])
            #expect(before.allSatisfy { $0.requests.count == 1 })
            try await scene.server.database.write { storage throws(StorageError) in
                for id in ids {
                    try storage.replaceRefunds(
                        of: OriginalTransactionID(id),
                        by: PurchaseRefunds(),
                        app: ServerFixture.app
                    )
                }
                try storage.save(RefundProgress(), of: ServerFixture.app)
            }
            let span = "from=\(Sample.time(0))&to=\(Sample.time(50))"
            #expect(try await scene.list().isEmpty)
            #expect(try await scene.server.send(.get, "/v1/refunds/rates?\(span)").bool("complete") == false)
            #expect(try await scene.server.rebuildDifferences() == [], "nothing is compared before it is filled")
            try await scene.server.services.refundFilling.settle()
            let after = [try await scene.stored(ids[0]), try await scene.stored(ids[1])]
            #expect(after == before)
            #expect(try await scene.server.send(.get, "/v1/refunds/rates?\(span)").bool("complete") == true)
            #expect(try await scene.server.rebuildDifferences() == [])
            try await opened.close()
        } catch {
            try await opened.close()
            throw error
        }
    }

    @Test func `that an earlier version stores beside this one are read after the next start`() async throws {
        let scene = try await RefundScene()
        try await scene.server.services.refundFilling.settle()
        for (step, notification) in RefundScene.history().enumerated() {
            try await scene.send(notification, number: step)
        }
        let stored = try await scene.stored()
        #expect(stored.refunds.count == 1)
        try await scene.server.database.write { storage throws(StorageError) in
            let purchase = OriginalTransactionID(Sample.original)
            try storage.replaceRefunds(of: purchase, by: PurchaseRefunds(), app: ServerFixture.app)
        }
        let before = try await scene.progress()
        try await RefundFilling(database: scene.server.database).settle()
        #expect(try await scene.stored() == stored)
        let after = try await scene.progress()
        #expect(after.isFilled && after.eventsThrough > before.eventsThrough)
        #expect(after.combined(with: before) == after && before.combined(with: after) == after)
    }

    @Test(arguments: ["lost", "changed", "surplus"])
    func `that do not follow from the evidence are found and repaired`(damage: String) async throws {
        let scene = try await RefundScene()
        for (number, notification) in RefundScene.history().enumerated() {
            try await scene.send(notification, number: number)
        }
        let before = try await scene.stored()
        let refund = try #require(before.refunds.first)
        try await scene.server.database.write { storage throws(StorageError) in
            let purchase = OriginalTransactionID(Sample.original)
            var damaged = before
            switch damage {
            case "lost": damaged = PurchaseRefunds()
            case "changed": damaged.refunds[0].reversedAt = nil
            default:
                var other = refund
                other.transactionID = TransactionID("9")
                damaged.refunds.append(other)
            }
            try storage.replaceRefunds(of: purchase, by: damaged, app: ServerFixture.app)
        }
        let differences = try await scene.server.rebuildDifferences()
        #expect(Set(differences.map(\.code)) == [.refundsDiffer])
        let repair = RebuildRepair(
            database: scene.server.database,
            policy: AccessPolicy(),
            by: Operator("test"),
            time: scene.server.time
        )
        #expect(try await repair.repair(differences, of: ServerFixture.app).repaired == 1)
        #expect(try await scene.stored() == before)
        #expect(try await scene.server.rebuildDifferences() == [])
    }
}

/// All orders of some values.
private func permutations<Value>(of values: [Value]) -> [[Value]] {
    guard values.count > 1 else { return [values] }
    return values.indices.flatMap { index in
        var rest = values
        let value = rest.remove(at: index)
        return permutations(of: rest).map { [value] + $0 }
    }
}
