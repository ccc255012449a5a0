import AppStoreModel
import LocalAppStore
import NIOHTTP1
import Testing

/// Calls of Apple's API, one for every endpoint and every error of the store, on a prepared store.
struct AppleTour {
    /// One call and its expected result.
    struct Call {
        let method: HTTPMethod
        let path: String
        var body: JSONValue?
        /// The endpoint, if the call succeeds.
        var endpoint: AppStoreServerCall.Identifier?
        /// The code, if the call is refused.
        var errorCode: Int64?
    }

    let store: RunningStore

    /// The executed endpoints, and the returned codes.
    private(set) var seen: Set<String> = []

    init(_ store: RunningStore) { self.store = store }

    /// Makes a call and records its result.
    mutating func play(_ call: Call) async throws {
        let answer = try await store.apple(call.method, call.path, call.body)
        if let endpoint = call.endpoint {
            #expect((200..<300).contains(answer.status), "\(endpoint): \(answer.status) \(answer.text)")
            if (200..<300).contains(answer.status) { seen.insert(endpoint.rawValue) }
        }
        if let code = call.errorCode {
            #expect(answer.json["errorCode"].integerValue == code, "\(call.path): \(answer.status) \(answer.text)")
            #expect(answer.status == Int(code / 10_000))
            expectDocumented(code, call.method, call.path)
            if let code = answer.json["errorCode"].integerValue { seen.insert(String(code)) }
        }
    }

    /// Records a call that was made separately.
    mutating func note(_ endpoint: AppStoreServerCall.Identifier, _ answer: RunningStore.Answer) {
        if answer.status == 200 { seen.insert(endpoint.rawValue) }
    }

    /// Records an error that was returned to a call without JSON.
    mutating func note(_ code: Int64) { seen.insert(String(code)) }

    /// Uploads an image, whose body is not JSON; `code` if it is refused.
    mutating func uploadImage(_ file: [UInt8], to path: String, failsWith code: Int64? = nil) async throws {
        let answer = try await store.send(.PUT, path, body: file, token: try store.token())
        #expect(answer.json["errorCode"].integerValue == code, "\(path): \(answer.status) \(answer.text)")
        #expect(answer.status == code.map { Int($0 / 10_000) } ?? 200, "\(path): \(answer.status)")
        if let code { expectDocumented(code, .PUT, path) }
        if let code = answer.json["errorCode"].integerValue { note(code) }
        note(.uploadImage, answer)
    }

    /// Checks that the model's table has the error for the call.
    private func expectDocumented(_ code: Int64, _ method: HTTPMethod, _ path: String) {
        let errors = (Self.call(method, path)?.errors ?? []) + AppStoreServerAPIError.general
        #expect(errors.contains { $0.code == code }, "\(method) \(path) has no error \(code) in Schema")
    }

    /// The call of the model's table at a path; a literal component precedes a parameter.
    private static func call(_ method: HTTPMethod, _ path: String) -> AppStoreServerCall? {
        let components = path.prefix { $0 != "?" }.split(separator: "/")
        let candidates = AppStoreServerCall.all.filter { call in
            let template = call.path.split(separator: "/")
            return call.method == method.rawValue && template.count == components.count
                && zip(template, components).allSatisfy { $0 == $1 || $0.hasPrefix("{") }
        }
        return candidates.min { $0.pathParameters.count < $1.pathParameters.count }
    }

    mutating func play(_ calls: [Call]) async throws {
        for call in calls { try await play(call) }
    }
}

extension AppleTour.Call {
    /// A call that succeeds.
    static func succeeds(
        _ endpoint: AppStoreServerCall.Identifier,
        _ method: HTTPMethod,
        _ path: String,
        _ body: JSONValue? = nil
    ) -> Self {
        Self(method: method, path: path, body: body, endpoint: endpoint)
    }

    /// A call that is refused.
    static func fails(_ code: Int64, _ method: HTTPMethod, _ path: String, _ body: JSONValue? = nil) -> Self {
        Self(method: method, path: path, body: body, errorCode: code)
    }
}

extension JSONValue {
    /// The object with a member set to another value.
    func with(_ key: String, _ value: JSONValue) -> JSONValue {
        guard var object = objectValue else { return self }
        object[key] = value
        return .object(object)
    }

    /// The text of an identifier; empty if there is none, which no call accepts.
    var id: String { stringValue ?? "" }
}
