import AppStoreClient
import AppStoreModel
import Synchronization

/// A server that answers by the number of the request, from 1, and its customer.
final class ScriptedServer: HTTPTransport {
    enum Answer {
        case taken, busy, refused, forbidden
    }

    private let answer: @Sendable (Int, String) -> Answer
    private let received = Mutex<[JSONObject]>([])

    init(_ answer: @escaping @Sendable (Int, String) -> Answer) {
        self.answer = answer
    }

    var bodies: [JSONObject] { received.withLock { $0 } }

    func send(
        _ request: AppStoreHTTPRequest,
        timeout: Duration,
        bodyBytesMax: Int
    ) async throws(HTTPTransportError) -> AppStoreHTTPResponse {
        let body = (try? JSONParser.parseObject(request.body ?? [])) ?? JSONObject()
        let count = received.withLock { received in
            received.append(body)
            return received.count
        }
        switch answer(count, body["app_user_id"]?.stringValue ?? "") {
        case .taken: return response(200, #"{"object":"customer"}"#)
        case .busy: return response(503, #"{"error":{"code":"overloaded","message":"Busy.","retryable":true}}"#)
        case .refused:
            return response(404, #"{"error":{"code":"transaction_not_found","message":"No.","retryable":false}}"#)
        case .forbidden: return response(401, #"{"error":{"code":"key_invalid","message":"No.","retryable":false}}"#)
        }
    }

    private func response(_ status: Int, _ body: String) -> AppStoreHTTPResponse {
        AppStoreHTTPResponse(
            status: status,
            headers: HTTPHeaders([HTTPHeaders.Field("Retry-After", "0")]),
            body: Array(body.utf8)
        )
    }
}
