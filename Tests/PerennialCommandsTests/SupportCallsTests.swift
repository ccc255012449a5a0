import AppStoreClient
import Testing

@testable import PerennialCommands

/// Why `perennial customer --order` shows nobody.
@Suite struct `An order without a customer` {
    private static let url = "http://127.0.0.1:1"

    private struct Reply {
        var status = 200
        var body: String
    }

    /// A server with one reply for each address without its query.
    private struct Replies: HTTPTransport {
        let replies: [String: Reply]

        func send(
            _ request: AppStoreHTTPRequest,
            timeout: Duration,
            bodyBytesMax: Int
        ) async throws(HTTPTransportError) -> AppStoreHTTPResponse {
            let address = String(request.url.prefix { $0 != "?" })
            let reply = replies[address] ?? Reply(status: 500, body: "{}")
            return AppStoreHTTPResponse(status: reply.status, headers: HTTPHeaders(), body: Array(reply.body.utf8))
        }
    }

    private static let nobody = Reply(body: #"{"object":"list","data":[]}"#)

    private static func refusal(_ status: Int, _ code: String) -> Reply {
        Reply(status: status, body: #"{"error":{"code":"\#(code)","message":"From the server."}}"#)
    }

    private static func order(_ status: String, held: [Bool] = []) -> Reply {
        let transactions = held.map { isHeld in
            #"{"original_transaction_id":"2000000000000001","product_id":"pro.weekly","held":\#(isHeld)}"#
        }
        return Reply(body: #"{"status":"\#(status)","transactions":[\#(transactions.joined(separator: ","))]}"#)
    }

    /// The error of the command.
    ///
    /// - Parameter lookup: The reply about the order; nil if the server must not be asked.
    private static func failure(customers: Reply, lookup: Reply? = nil) async throws -> ServerCallError? {
        var replies = ["\(url)/v1/customers": customers]
        replies["\(url)/v1/lookups/order"] = lookup
        let calls = SupportCalls(
            server: ServerCalls(
                url: try HTTPBaseURL(url, setting: "--server"),
                key: "sk_1",
                transport: Replies(replies: replies)
            )
        )
        do throws(ServerCallError) {
            let found = try await calls.customers(id: nil, transaction: nil, order: "MK5TTTVWJH")
            guard found.isEmpty else { return nil }
            return await calls.notFound(transaction: nil, order: "MK5TTTVWJH")
        } catch {
            return error
        }
    }

    @Test(arguments: [
        ([true], "This server has it, but it belongs to no customer. Restore purchases in the app"),
        ([true, false], "This server does not have it yet. To take it in: POST /v1/transactions"),
    ])
    func `is named with its purchase if it is valid`(held: [Bool], text: String) async throws {
        let lookup = Self.order("valid", held: held)
        let failure = try #require(try await Self.failure(customers: Self.nobody, lookup: lookup))
        #expect(failure.code == "customer_not_found")
        #expect(failure.message.contains("valid, for the purchase 2000000000000001 (pro.weekly)."))
        #expect(failure.message.contains(text))
    }

    @Test func `is unknown, or one of another app`() async throws {
        let unknown = try await Self.failure(customers: Self.nobody, lookup: Self.order("unknown"))
        #expect(unknown?.code == "customer_not_found")
        #expect(unknown?.message.contains("Apple knows no such order of this app") == true)
        let foreign = try await Self.failure(customers: Self.refusal(400, "app_not_configured"))
        #expect(foreign?.code == "customer_not_found")
        #expect(foreign?.message.contains("belongs to another app") == true)
    }

    @Test func `has the general text if the key may not ask Apple`() async throws {
        let failure = try await Self.failure(customers: Self.nobody, lookup: Self.refusal(403, "scope_required"))
        #expect(failure?.code == "customer_not_found")
        #expect(failure?.message.contains("no such transaction or order") == true)
    }

    @Test func `does not hide another error of the server`() async throws {
        let away = try await Self.failure(customers: Self.nobody, lookup: Self.refusal(503, "app_store_unavailable"))
        #expect(away?.code == "app_store_unavailable")
        let sandbox = try await Self.failure(customers: Self.refusal(400, "order_lookup_not_available"))
        #expect(sandbox?.code == "order_lookup_not_available")
    }
}
