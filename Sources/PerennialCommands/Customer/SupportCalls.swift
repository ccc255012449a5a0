import AppStoreClient
import AppStoreModel
import Foundation
import PerennialCommandSupport

/// Reads data for support from a running server.
struct SupportCalls {
    /// A customer's timeline, as far as it was read.
    struct Timeline {
        /// Oldest first.
        var entries: [JSONObject] = []
        /// Whether there are more entries.
        var hasMore = false
    }

    private static let answerBytesMax = 32 << 20
    private static let deadline = Duration.seconds(30)
    /// Of 1,000 entries each.
    private static let pagesMax = 10

    let url: HTTPBaseURL
    let key: String
    /// Sends the requests.
    let transport: any HTTPTransport

    /// The requested customers, each with explanations.
    ///
    /// - Throws: ``SupportCallError``.
    func customers(id: String?, transaction: String?, order: String?) async throws(SupportCallError) -> [JSONObject] {
        if let id { return [try await customer(id)] }
        let query = transaction.map { "transaction_id=\(Self.encoded($0))" } ?? "order_id=\(Self.encoded(order ?? ""))"
        var customers: [JSONObject] = []
        for found in try await get("/v1/customers?\(query)")["data"]?.arrayValue ?? [] {
            guard let id = found.objectValue?["app_user_id"]?.stringValue else { continue }
            customers.append(try await customer(id))
        }
        return customers
    }

    /// Why no customer has a transaction or an order: the purchase may be known, but unclaimed.
    func notFound(transaction: String?) async -> SupportCallError {
        let code = "customer_not_found"
        if let transaction, let purchase = try? await get("/v1/purchases/\(Self.encoded(transaction))") {
            let id = purchase["id"]?.stringValue ?? transaction
            let bought = purchase["subscription"]?.objectValue ?? purchase["one_time_purchase"]?.objectValue
            let product = bought?["product_id"]?.stringValue.map { " (\($0))" } ?? ""
            return SupportCallError(
                code: code,
                message: "The purchase \(id)\(product) is known, but belongs to no customer. Restore purchases in the"
                    + " app, or transfer it to a customer with POST /v1/transfers"
            )
        }
        return SupportCallError(
            code: code,
            message: "This server has no such transaction or order. Check the number, and that the key is for the app"
                + " and the environment of the purchase"
        )
    }

    /// The timeline of a customer.
    ///
    /// - Throws: ``SupportCallError``.
    func timeline(of customer: JSONObject) async throws(SupportCallError) -> Timeline {
        var timeline = Timeline()
        guard let id = customer["app_user_id"]?.stringValue else { return timeline }
        let path = "/v1/customers/\(Self.encoded(id))/timeline?limit=1000"
        var cursor: String?
        for _ in 0..<Self.pagesMax {
            let page = try await get(path + (cursor.map { "&after=\(Self.encoded($0))" } ?? ""))
            timeline.entries += (page["data"]?.arrayValue ?? []).compactMap(\.objectValue)
            cursor = page["next_cursor"]?.stringValue
            timeline.hasMore = cursor != nil
            if cursor == nil { break }
        }
        return timeline
    }

    private func customer(_ id: String) async throws(SupportCallError) -> JSONObject {
        try await get("/v1/customers/\(Self.encoded(id))?explain=true")
    }

    private func get(_ path: String) async throws(SupportCallError) -> JSONObject {
        let headers = HTTPHeaders([.init("Authorization", "Bearer \(key)")])
        let request = AppStoreHTTPRequest(method: "GET", url: url.text + path, headers: headers)
        let response: AppStoreHTTPResponse
        do {
            response = try await transport.send(request, timeout: Self.deadline, bodyBytesMax: Self.answerBytesMax)
        } catch {
            throw SupportCallError(
                code: "server_unreachable",
                message:
                    "\(url.text) does not answer (\(error.code.rawValue)): check --server, and that perennial serve"
                    + " runs there"
            )
        }
        let object = try? JSONParser.parseObject(response.body)
        if response.status == 200, let object { return object }
        let error = object?["error"]?.objectValue
        throw SupportCallError(
            code: error?["code"]?.stringValue ?? "answer_unexpected",
            message: error?["message"]?.stringValue
                ?? "\(url.text) answered \(response.status): is perennial serve running there?"
        )
    }

    private static func encoded(_ text: String) -> String {
        let plain = CharacterSet(charactersIn: "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-._~")
        return text.addingPercentEncoding(withAllowedCharacters: plain) ?? ""
    }
}

/// The error for a request without a usable answer.
struct SupportCallError: Error, CustomStringConvertible {
    /// A stable reason in `snake_case`.
    let code: String
    /// One sentence with the remedy.
    let message: String

    var description: String { "\(code): \(TerminalText.escaped(message))" }
}
