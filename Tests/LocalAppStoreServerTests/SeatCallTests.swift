import AppStoreModel
import AppStoreSigning
import NIOHTTP1
import Testing

/// Seats over HTTP.
@Suite struct `Seats over HTTP` {
    @Test func `a seat is assigned to an account, announced to the developer, and withdrawn`() async throws {
        try await withStore { store in
            try await withDeveloperServer { developer in
                _ = try await store.put("/_store/notification-endpoint", ["url": .string(developer.notificationURL)])
                let id = try await purchase(of: store, seats: 2, invitations: "APPLE")
                _ = try await store.post("/_store/accounts", ["accountId": "bert"])
                let calls = "/_store/subscriptions/\(id)/seat-members"
                let given = try await store.post(calls, ["accountId": "bert"])
                #expect(given.status == 200, "\(given.text)")
                let jws = try #require(given.json["signedTransactionInfo"].stringValue)
                #expect(try store.verifier.verifyTransaction(jws).get().inAppOwnershipType == .assigned)
                let seats = try await store.get("/_store/subscriptions/\(id)/seats").json
                #expect(seats["seats"] == 2 && seats["renewalSeats"] == 2 && seats["members"] == ["bert"])
                let taken = try await store.send(.DELETE, "\(calls)/bert")
                #expect(taken.status == 200 && taken.json["members"] == [])
                let sent = try store.verifier.verifyNotification(try #require(await developer.log.payloads.last)).get()
                #expect(sent.payload.notificationType == .revoke)
                #expect(sent.transaction?.revocationType == .assignmentRevoke)
                #expect(sent.transaction?.transactionId == given.json["transactionId"].stringValue)
            }
        }
    }

    @Test func `the developer's seats are claimed, changed in number and refunded`() async throws {
        try await withStore { store in
            try await withDeveloperServer { developer in
                _ = try await store.put("/_store/notification-endpoint", ["url": .string(developer.notificationURL)])
                let id = try await purchase(of: store, seats: 2)
                let claims = try await store.post("/_store/subscriptions/\(id)/seat-claims", ["count": 2])
                let claimed = try #require(claims.json["seatIds"].arrayValue)
                #expect(claimed.count == 2)
                let more = try await store.post("/_store/subscriptions/\(id)/seats", ["seats": 3])
                let added = try #require(more.json["signedTransactionInfo"].stringValue)
                #expect(try store.verifier.verifyTransaction(added).get().additionalTransactionReason == .seatAddition)
                #expect(try await store.post("/_store/transactions/\(id)/refund").status == 200)
                let lost = try store.verifier.verifyNotification(try #require(await developer.log.payloads.last)).get()
                #expect(lost.payload.notificationType == .unclaimSeats)
                #expect(lost.payload.unclaimInfo?.unclaimSeatIds == [claimed[1].id])
                let seats = try await store.get("/_store/subscriptions/\(id)/seats").json
                #expect(seats["seats"] == 1 && seats["claimedSeatIds"] == [claimed[0]])
            }
        }
    }

    @Test func `some seats are refunded`() async throws {
        try await withStore { store in
            let id = try await purchase(of: store, seats: 3)
            let refund = try await store.post("/_store/transactions/\(id)/seat-refund", ["seats": 2])
            #expect(refund.json == ["transactionId": .string(id), "seats": 2], "\(refund.text)")
            #expect(try await store.get("/_store/subscriptions/\(id)/seats").json["seats"] == 1)
        }
    }

    @Test(arguments: [
        ("POST /_store/accounts/anna/seat-purchases", #"{"productId": "none", "seats": 1}"#, 404, "product_not_found"),
        ("POST /_store/accounts/anna/seat-purchases", #"{"productId": "plus.monthly"}"#, 400, "missing_field"),
        (
            "POST /_store/accounts/anna/seat-purchases", #"{"productId": "plus.monthly", "seats": 0}"#, 400,
            "seats_invalid"
        ),
        ("POST /_store/subscriptions/ID/seats", #"{"seats": 2}"#, 409, "seats_invalid"),
        ("POST /_store/subscriptions/ID/seats", #"{"seats": "2"}"#, 400, "wrong_type"),
        ("POST /_store/subscriptions/1/seats", #"{"seats": 2}"#, 404, "subscription_not_found"),
        ("GET /_store/subscriptions/1/seats", "", 404, "subscription_not_found"),
        ("POST /_store/subscriptions/ID/seat-claims", #"{"count": 1}"#, 409, "seats_not_supported"),
        ("POST /_store/subscriptions/ID/seat-members", "{}", 400, "missing_field"),
        ("POST /_store/subscriptions/ID/seat-members", #"{"accountId": "x"}"#, 404, "account_not_found"),
        ("POST /_store/subscriptions/ID/seat-members", #"{"accountId": "anna"}"#, 409, "seat_member_invalid"),
        ("DELETE /_store/subscriptions/ID/seat-members/anna", "", 404, "seat_not_assigned"),
        ("POST /_store/transactions/ID/seat-refund", #"{"seats": 2}"#, 400, "seats_invalid"),
    ])
    func `invalid seat operations are refused`(call: String, body: String, status: Int, code: String) async throws {
        try await withStore { store in
            let id = try await purchase(of: store, seats: 2, invitations: "APPLE")
            let words = call.replacing("ID", with: id).split(separator: " ").map(String.init)
            let answer = try await store.send(HTTPMethod(rawValue: words[0]), words[1], body: Array(body.utf8))
            #expect(answer.status == status && answer.errorCode == code, "\(answer.text)")
        }
    }

    private func purchase(
        of store: RunningStore,
        seats: Int64,
        invitations: JSONValue = "DEVELOPER"
    ) async throws -> String {
        _ = try await store.post("/_store/accounts", ["accountId": "anna"])
        let bought = try await store.post(
            "/_store/accounts/anna/seat-purchases",
            ["productId": "pro.monthly", "seats": .integer(seats), "invitationManagement": invitations]
        )
        #expect(bought.status == 200, "\(bought.text)")
        return bought.json["transactionId"].id
    }
}
