import AppStoreModel
import LocalAppStore
import NIOHTTP1
import Testing

/// Synthetic customers over HTTP.
@Suite struct `Populations over HTTP` {
    @Test func `a population fills the ledger, and its customers answer like any other`() async throws {
        try await withStore { store in
            let request: JSONValue = ["accounts": 1_500, "months": 6, "seed": 4]
            let answer = try await store.post("/_store/population", request)
            #expect(answer.status == 200, "\(answer.text)")
            #expect(answer.json["accounts"] == 1_500)
            let status = try await store.get("/_store/status").json
            #expect(status["accounts"] == 1_500)
            #expect(status["transactions"] == answer.json["transactions"])
            #expect(status["notifications"] == 0)
            #expect(status["now"] == .integer(RunningStore.start))
            let info = try await store.apple(.GET, "/inApps/v1/transactions/2000000000000001")
            #expect(info.status == 200)
        }
    }

    @Test func `behaviour is read member by member, and unknown members are refused by path`() async throws {
        try await withStore { store in
            let faithful: JSONValue = [
                "accounts": 20, "months": 3,
                "behaviour": [
                    "oneTimePurchases": 0, "trialConversion": 1, "billingFailures": 0, "refunds": 0,
                    "churn": ["weekly": 0, "monthly": .decimal("0.0"), "yearly": 0],
                ],
            ]
            #expect(try await store.post("/_store/population", faithful).status == 200)
            let accounts = try await store.get("/_store/accounts").json["accounts"].arrayValue ?? []
            #expect(accounts.count == 20)
            for account in accounts {
                #expect(account["subscriptions"].arrayValue?.map { $0["status"] } == [1])
            }
            let misspelt: JSONValue = ["accounts": 1, "months": 1, "behaviour": ["churn": ["daily": 1]]]
            let refusal = try await store.post("/_store/population", misspelt)
            #expect(refusal.status == 400)
            #expect(refusal.json["error"]["path"] == "behaviour.churn.daily")
            let tooMany = try await store.post("/_store/population", ["accounts": 0, "months": 1])
            #expect(tooMany.errorCode == "population_invalid")
        }
    }
}
