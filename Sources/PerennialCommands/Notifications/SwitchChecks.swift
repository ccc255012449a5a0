import AppStoreClient
import AppStoreModel
import Foundation

/// The checks before the switch: whether the URL answers, and whether Apple's test notification arrives.
struct SwitchChecks {
    /// The time between two queries about a test notification; Apple allows one in ten seconds in sandbox.
    private static let pause = Duration.seconds(10)
    private static let deadline = Duration.seconds(10)
    private static let answerBytesMax = 64 << 10

    let server: ServerCalls
    /// The URL in App Store Connect.
    let url: String
    /// How long to wait for the test notification.
    let wait: Duration

    /// Sends a version 2 notification without a signature, which a Perennial server refuses with its own error.
    func answer() async -> SwitchPlan.Step {
        func step(_ state: SwitchPlan.Step.State, _ message: String) -> SwitchPlan.Step {
            SwitchPlan.Step(name: "url", state: state, message: message)
        }
        let request = AppStoreHTTPRequest(
            method: "POST",
            url: url,
            headers: HTTPHeaders([HTTPHeaders.Field("Content-Type", "application/json")]),
            body: Array(#"{"signedPayload":"check"}"#.utf8)
        )
        do {
            let response = try await server.transport.send(
                request,
                timeout: Self.deadline,
                bodyBytesMax: Self.answerBytesMax
            )
            let error = (try? JSONParser.parseObject(response.body))?["error"]?.objectValue
            guard response.status == 400, error?["code"] == .string("malformed_jws") else {
                return step(
                    .toDo,
                    "\(url) answers with \(response.status), not like a Perennial server. Check the path and the proxy."
                )
            }
            return step(.done, "\(url) answers.")
        } catch {
            return step(.toDo, "\(url) does not answer (\(error.code.rawValue)). Apple must reach it over HTTPS.")
        }
    }

    /// Makes Apple send a test notification, and waits until it arrives or Apple gives up.
    ///
    /// - Throws: ``ServerCallError`` if the server cannot ask Apple.
    func test() async throws -> SwitchPlan.Step {
        func step(_ state: SwitchPlan.Step.State, _ message: String) -> SwitchPlan.Step {
            SwitchPlan.Step(name: "test", state: state, message: message)
        }
        let token: String
        do throws(ServerCallError) {
            token = try await server.post("/v1/apple/test_notifications", [:])["token"]?.stringValue ?? ""
        } catch {
            guard error.code == "app_store_refused" else { throw error }
            return step(.toDo, "Enter \(url) in App Store Connect. \(error.message)")
        }
        let path = "/v1/apple/test_notifications/\(ServerCalls.encoded(token))"
        let start = ContinuousClock.now
        while true {
            let test = try await server.get(path)
            if test["received"] == .bool(true) { return step(.done, "Apple's test notification arrived.") }
            let result = test["result"]?.stringValue
            if let result, result != "SUCCESS" {
                return step(.toDo, "Apple could not deliver the test notification: \(result). Check the URL.")
            }
            if result != nil {
                return step(
                    .toDo,
                    "Apple delivered the test notification, but not to this server. Enter \(url) in App Store Connect."
                )
            }
            guard ContinuousClock.now - start + Self.pause <= wait else {
                return step(.waiting, "Apple has no result of the test notification yet. Run this command again.")
            }
            try await Task.sleep(for: Self.pause)
        }
    }
}
