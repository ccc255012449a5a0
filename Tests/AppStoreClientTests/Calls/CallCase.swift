import AppStoreClient
import AppStoreModel
import Testing

/// A call as a transcript: what is sent, what Apple answers, and the typed method that does it.
struct CallCase: Sendable, CustomTestStringConvertible {
    let call: AppStoreServerCall
    /// Method, path and query.
    let line: String
    /// The body that is sent, as JSON; nil for none.
    let sends: String?
    /// Apple's answer, as JSON; empty for none.
    let answers: String
    let status: Int
    /// The type that the typed method answers with; nil for none.
    let answerType: String?
    /// Performs the call with the typed method and gives the answer back as JSON, nil when there is none.
    let perform: @Sendable (AppStoreServerAPIClient.App, String) async throws -> Outcome

    /// What a typed method gave.
    struct Outcome {
        let json: JSONObject?
        /// Names of fields anywhere in the answer that the model does not know.
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

    /// Looks through a value and everything in it for fields that its model did not know.
    private static func unknownFields(in value: Any) -> [String] {
        Mirror(reflecting: value).children.flatMap { child -> [String] in
            if let object = child.value as? JSONObject {
                return child.label == "unknownFields" ? object.keys : []
            }
            return unknownFields(in: child.value)
        }
    }
}
