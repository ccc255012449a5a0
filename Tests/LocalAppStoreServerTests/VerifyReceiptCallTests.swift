import AppStoreModel
import AsyncHTTPClient
import NIOCore
import NIOHTTP1
import Testing

@Suite struct `verifyReceipt over HTTP` {
    @Test func `a receipt is verified without a token, and answered as JSON that is marked as deprecated`() async throws
    {
        try await withStore { store in
            let receipt = try await store.buy("pro.monthly")["receipt"]
            let secret = try await store.get("/_store/credentials").json["sharedSecret"]
            let answer = try await store.post("/verifyReceipt", ["receipt-data": receipt, "password": secret])
            #expect(answer.status == 200)
            #expect(answer.contentType == "application/json")
            #expect(answer.json["status"] == 0)
            #expect(answer.json["environment"] == "Sandbox")
            #expect(answer.json["latest_receipt_info"].arrayValue?.count == 1)
            #expect(answer.json["latest_receipt"] == receipt)
        }
    }

    @Test func `the deprecation is in the header`() async throws {
        try await withStore { store in
            let request = HTTPClientRequest(url: "http://127.0.0.1:\(store.port)/verifyReceipt")
            let response = try await store.http.execute(request, timeout: .seconds(60))
            #expect(response.headers.first(name: "Deprecation") == "Mon, 5 Jun 2023 23:59:59 GMT")
        }
    }

    @Test(arguments: [HTTPMethod.GET, .PUT, .DELETE, .PATCH])
    func `only a POST is a request`(method: HTTPMethod) async throws {
        try await withStore { store in
            let answer = try await store.send(method, "/verifyReceipt")
            #expect(answer.status == 200)
            #expect(answer.json == ["status": 21_000])
        }
    }

    @Test(arguments: ["", "{", "[]", "{}", #"{"receipt-data":"bm8="}"#])
    func `a body without a receipt is answered 200 with 21002`(body: String) async throws {
        try await withStore { store in
            let answer = try await store.send(.POST, "/verifyReceipt", body: Array(body.utf8))
            #expect(answer.status == 200)
            #expect(answer.json == ["status": 21_002])
        }
    }

    @Test func `a receipt of iOS 6 exists for each transaction`() async throws {
        try await withStore { store in
            let id = try await store.buy("lifetime")["transactionId"].stringValue ?? ""
            let receipt = try await store.get("/_store/transactions/\(id)/receipt").json["receipt"]
            let answer = try await store.post("/verifyReceipt", ["receipt-data": receipt])
            #expect(answer.json["receipt"]["transaction_id"].stringValue == id)
        }
    }

    @Test func `verifyReceipt fails on demand, a given number of times`() async throws {
        try await withStore { store in
            let path = "/_store/faults/verify-receipt"
            let set = try await store.put(path, ["status": 21_150, "count": 1, "isRetryable": false])
            #expect(set.json == ["status": 21_150, "isRetryable": false, "count": 1])
            #expect(try await store.get(path).json == set.json)
            let failed = try await store.post("/verifyReceipt", ["receipt-data": "bm8="])
            #expect(failed.json["status"] == 21_150)
            #expect(failed.json["is-retryable"] == false)
            #expect(try await store.post("/verifyReceipt").json == ["status": 21_002])
            #expect(try await store.put(path, ["status": .null]).json == ["status": .null])
        }
    }

    @Test(arguments: [
        (#"{}"#, 400, "missing_field"), (#"{"status": 0}"#, 422, "receipt_fault_invalid"),
        (#"{"status": 21005, "count": 0}"#, 422, "receipt_fault_invalid"),
        (#"{"status": 21005, "times": 2}"#, 400, "unknown_field"),
    ])
    func `a failure that Apple does not have is refused`(body: String, status: Int, code: String) async throws {
        try await withStore { store in
            let answer = try await store.send(.PUT, "/_store/faults/verify-receipt", body: Array(body.utf8))
            #expect(answer.status == status)
            #expect(answer.errorCode == code)
        }
    }
}
