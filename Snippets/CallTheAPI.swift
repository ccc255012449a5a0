//! Call the App Store Server API: production first, then the sandbox, page after page.

import AppStoreClient
import AppStoreModel
import AppStoreSigning
// snippet.hide
import AppStoreTesting

/// Answers what a store with two pages of history would.
struct RecordedStore: HTTPTransport {
    let transactions: [String]

    func send(
        _ request: AppStoreHTTPRequest,
        timeout: Duration,
        bodyBytesMax: Int
    ) async throws(HTTPTransportError) -> AppStoreHTTPResponse {
        if !request.url.contains("sandbox") {
            return AppStoreHTTPResponse(
                status: 404,
                body: AppStoreServerAPIError.transactionIdNotFound.json.serialize()
            )
        }
        let isFirst = !request.url.contains("revision=")
        let page = HistoryResponse(
            revision: isFirst ? "1" : "2",
            hasMore: isFirst,
            bundleId: "com.example.app",
            environment: .sandbox,
            signedTransactions: [transactions[isFirst ? 0 : 1]]
        )
        return AppStoreHTTPResponse(status: 200, body: page.jsonBytes)
    }
}

let kit = try AppStoreTestKit()
let first = try kit.transaction(productId: "pro.monthly")
let transport = RecordedStore(transactions: [first.jws, try kit.renewal(of: first).jws])
let key = kit.developerKey
var count = 0
// snippet.show
let client = AppStoreServerAPIClient(key: key, transport: transport)
let app = client.app("com.example.app", in: .productionThenSandbox)

for try await transaction in app.transactionHistory(anyTransactionId: "2000000000000001").elements {
    print(transaction.answeredBy, transaction.value.prefix(20), "resume at", transaction.cursor?.text ?? "-")
    // snippet.hide
    count += 1
    // snippet.show
}
// snippet.hide
precondition(count == 2)
