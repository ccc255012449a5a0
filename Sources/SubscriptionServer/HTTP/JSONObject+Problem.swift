import AppStoreModel
import SubscriptionOperations
import SubscriptionStorage

extension JSONObject {
    /// A reason in a successful response: its stable code, and what to do.
    private init(code: String, message: String) {
        self.init()
        self["code"] = .string(code)
        self["message"] = .string(message)
    }

    init(problem error: OperationError) { self.init(code: error.code, message: error.message) }

    init(problem failure: StoredFailure) { self.init(code: failure.code, message: failure.message) }
}
