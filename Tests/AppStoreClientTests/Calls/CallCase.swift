import AppStoreClient
import AppStoreModel
import Testing

/// A call as a transcript: the request, Apple's answer, and the typed method.
struct CallCase: Sendable, CustomTestStringConvertible {
    let call: AppStoreServerCall
    /// Method, path and query.
    let line: String
    /// The request body as JSON; nil for none.
    let sends: String?
    /// Apple's answer as JSON; empty for none.
    let answers: String
    let status: Int
    /// The return type of the typed method; nil for none.
    let answerType: String?
    /// Performs the call with the typed method and returns the answer as JSON, nil if there is none.
    let perform: @Sendable (AppStoreServerAPIClient.App, String) async throws -> Outcome

    /// The result of a typed method.
    struct Outcome {
        let json: JSONObject?
        /// Names of fields anywhere in the answer that are unknown to the model.
        let unknownFields: [String]
    }

    var testDescription: String { call.name }

    /// A call with an answer.
    static func reads<Answer: JSONRepresentable>(
        _ call: AppStoreServerCall,
        _ line: String,
        sends: String? = nil,
        answers: String,
        _ perform: @escaping @Sendable (AppStoreServerAPIClient.App, String) async throws -> AppStoreAnswer<Answer>
    ) -> CallCase {
        let type = String(describing: Answer.self)
        return CallCase(call: call, line: line, sends: sends, answers: answers, status: 200, answerType: type) {
            app,
            body in
            let value = try await perform(app, body).value
            return Outcome(json: value.json, unknownFields: unknownFields(in: value))
        }
    }

    /// A call without an answer.
    static func writes(
        _ call: AppStoreServerCall,
        _ line: String,
        sends: String? = nil,
        status: Int = 200,
        _ perform: @escaping @Sendable (AppStoreServerAPIClient.App, String) async throws -> AppStoreAnswer<NoContent>
    ) -> CallCase {
        CallCase(call: call, line: line, sends: sends, answers: "", status: status, answerType: nil) { app, body in
            _ = try await perform(app, body)
            return Outcome(json: nil, unknownFields: [])
        }
    }

    /// Searches a value recursively for fields that are unknown to its model.
    private static func unknownFields(in value: Any) -> [String] {
        Mirror(reflecting: value).children.flatMap { child -> [String] in
            if let object = child.value as? JSONObject {
                return child.label == "unknownFields" ? object.keys : []
            }
            return unknownFields(in: child.value)
        }
    }
}
