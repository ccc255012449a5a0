import AppStoreClient
import AppStoreModel
import SubscriptionCore
import SubscriptionOperations
import Synchronization
import Testing

/// The developer's backend, which decides before the policy.
private final class ScriptedBackend: HTTPTransport {
    private let state: Mutex<(response: AppStoreHTTPResponse?, requests: [AppStoreHTTPRequest])>

    /// - Parameter response: nil if it cannot be reached.
    init(_ response: AppStoreHTTPResponse?) {
        state = Mutex((response, []))
    }

    var requests: [AppStoreHTTPRequest] { state.withLock { $0.requests } }

    func send(
        _ request: AppStoreHTTPRequest,
        timeout: Duration,
        bodyBytesMax: Int
    ) async throws(HTTPTransportError) -> AppStoreHTTPResponse {
        let response = state.withLock { state in
            state.requests.append(request)
            return state.response
        }
        guard let response else {
            throw HTTPTransportError(code: .timedOut, message: "late", mayHaveBeenSent: true)
        }
        return response
    }
}

@Suite struct `The hook for refund requests` {
    private static let secret = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw"

    private static func answer(_ body: String, status: Int = 200) -> AppStoreHTTPResponse {
        AppStoreHTTPResponse(status: status, body: Array(body.utf8))
    }

    private static func scene(_ backend: ScriptedBackend) async throws -> RefundRequestScene {
        let made = ConsumptionHook(
            url: "https://backend.test/refunds",
            secret: secret,
            milliseconds: 100,
            transport: backend
        )
        let hook: ConsumptionHook = try #require(made)
        return try await RefundRequestScene(ConsumptionSettings(policy: .declining, hook: hook))
    }

    @Test func `decides, and may add what it knows`() async throws {
        let backend = ScriptedBackend(
            Self.answer(#"{"answer":"grant_prorated","customer_consented":true,"consumption_percentage":25000}"#)
        )
        let scene = try await Self.scene(backend)
        try await scene.request()
        await scene.settle()
        let shown = try await scene.shown()
        #expect(shown["state"] == "answered" && shown["decided_by"] == "hook" && shown["rule"] == .null)
        let body = try #require(scene.store.body(of: RefundRequestScene.path))
        #expect(body["refundPreference"] == "GRANT_PRORATED" && body["consumptionPercentage"] == 25_000)
        let request = try #require(backend.requests.first)
        #expect(request.headers["webhook-id"] == shown["id"]?.stringValue)
        #expect(request.headers["webhook-signature"]?.hasPrefix("v1,") == true)
        let event = try JSONParser.parseObject(request.body ?? [])
        #expect(event["type"] == "refund_request.decision_needed")
        #expect(event["data"]?.objectValue?["app_user_id"] == "u_1")
        #expect(event["data"]?.objectValue?["facts"]?.objectValue?["product_type"] == "consumable")
        #expect(try await scene.metric("perennial_consumption_hook_total", "answered") == 1)
        #expect(try await scene.metric("perennial_consumption_hook_total", "failed") == nil)
    }

    @Test func `does not override a recorded refusal of consent`() async throws {
        let backend = ScriptedBackend(Self.answer(#"{"answer":"decline","customer_consented":true}"#))
        let scene = try await Self.scene(backend)
        #expect(try await scene.report(#"{"customer_consented":false}"#).status == 200)
        try await scene.request()
        await scene.settle()
        #expect(try await scene.shown()["state"] == "waiting" && scene.sent == 0)
    }

    @Test func `is asked again where the policy sends nothing`() async throws {
        let backend = ScriptedBackend(nil)
        let scene = try await Self.scene(backend)
        try await scene.request()
        await scene.settle()
        let shown = try await scene.shown()
        let error = try #require(shown["error"]?.objectValue)
        #expect(shown["state"] == "waiting" && error["code"] == "hook_failed")
        // What the policy lacks.
        #expect(error["message"]?.stringValue?.contains("No consent of the customer") == true)
        await scene.settle(afterHours: 1)
        #expect(backend.requests.count == 2)
        // The end names both.
        await scene.settle(afterHours: 12)
        let end = try await scene.shown()
        let message = try #require(end["error"]?.objectValue?["message"]?.stringValue)
        #expect(end["state"] == "expired" && end["error"]?.objectValue?["code"] == "deadline_passed")
        #expect(message.contains("The last try failed: ") && message.contains("No consent of the customer"))
    }

    @Test func `keeps its answer while Apple is away`() async throws {
        let backend = ScriptedBackend(Self.answer(#"{"answer":"grant_full","customer_consented":true}"#))
        let scene = try await Self.scene(backend)
        scene.store.refuse(keyIDs: ["K1"])
        try await scene.request()
        await scene.settle()
        scene.store.refuse(keyIDs: [])
        await scene.settle(afterHours: 1)
        #expect(try await scene.shown()["answer"] == "grant_full" && scene.sent > 0)
        #expect(backend.requests.count == 1)
    }

    @Test func `may send nothing`() async throws {
        let scene = try await Self.scene(ScriptedBackend(Self.answer(#"{"answer":"no_answer"}"#)))
        #expect(try await scene.report().status == 200)
        try await scene.request()
        await scene.settle()
        #expect(try await scene.shown()["state"] == "withheld" && scene.sent == 0)
    }

    @Test(arguments: [
        nil, answer("{}"), answer(#"{"answer":"maybe"}"#), answer("no"), answer(#"{"answer":"decline"}"#, status: 500),
        answer(#"{"answer":"grant_full"}"#, status: 302),
        answer(#"{"answer":"grant_full","customer_consented":"yes"}"#),
        answer(#"{"answer":"grant_full","customer_consented":1}"#),
        answer(#"{"answer":"grant_full","sample_content_provided":0}"#),
        answer(#"{"answer":"grant_full","delivery_status":"lost"}"#),
        answer(#"{"answer":"grant_full","consumption_percentage":500000}"#),
        answer(#"{"answer":"grant_full","consumption_percentage":-5}"#),
        answer(#"{"answer":"grant_full","consumption_percentage":"5"}"#),
    ])
    func `leaves the decision to the policy if it has no answer`(response: AppStoreHTTPResponse?) async throws {
        let scene = try await Self.scene(ScriptedBackend(response))
        #expect(try await scene.report().status == 200)
        try await scene.request()
        await scene.settle()
        let shown = try await scene.shown()
        #expect(shown["state"] == "answered" && shown["answer"] == "decline" && shown["decided_by"] == "policy")
        #expect(shown["error"]?.objectValue?["code"] == "hook_failed")
        #expect(try await scene.metric("perennial_consumption_hook_total", "failed") == 1)
    }

    @Test func `may have unknown members and null in its answer`() async throws {
        let body =
            #"{"answer":"grant_full","customer_consented":null,"delivery_status":null,"consumption_percentage":null,"#
            + #""sample_content_provided":null,"note":7}"#
        let scene = try await Self.scene(ScriptedBackend(Self.answer(body)))
        #expect(try await scene.report().status == 200)
        try await scene.request()
        await scene.settle()
        let shown = try await scene.shown()
        #expect(shown["answer"] == "grant_full" && shown["decided_by"] == "hook" && shown["error"] == .null)
        #expect(shown["facts"]?.objectValue?["consumption_percentage"] == 40_000)
    }

    @Test func `gives no consent by values of a wrong type`() async throws {
        let backend = ScriptedBackend(
            Self.answer(#"{"answer":"decline","customer_consented":"true","consumption_percentage":999999999}"#)
        )
        let scene = try await Self.scene(backend)
        try await scene.request()
        await scene.settle()
        let shown = try await scene.shown()
        #expect(shown["state"] == "waiting" && scene.sent == 0)
        #expect(shown["error"]?.objectValue?["code"] == "hook_failed")
    }

    @Test(arguments: ["", "whsec_", "whsec_!!", "MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw", "whsec_c2hvcnQ="])
    func `needs a secret of the right form`(secret: String) {
        #expect(!ConsumptionHook.isSecret(secret))
    }
}
