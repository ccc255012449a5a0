import AppStoreModel
import HTTPTypes
import Hummingbird
import HummingbirdCore
import NIOCore

extension Response {
    /// A JSON response.
    ///
    /// The content type is `application/json` without parameters: Apple's Python client loses the error code otherwise.
    static func json(_ object: JSONObject, status: HTTPResponse.Status = .ok) -> Response {
        Response(
            status: status,
            headers: [.contentType: "application/json"],
            body: ResponseBody(byteBuffer: ByteBuffer(bytes: JSONValue.object(object).serialize()))
        )
    }

    /// The response to a refused call.
    static func refusal(_ error: StoreCallError) -> Response {
        var detail: JSONObject = ["code": .string(error.code), "message": .string(error.message)]
        if let path = error.path { detail["path"] = .string(path) }
        return json(["error": .object(detail)], status: error.status)
    }

    /// One of Apple's error objects.
    static func appleError(_ error: AppStoreServerAPIError) -> Response {
        json(error.json, status: HTTPResponse.Status(code: error.httpStatus))
    }
}
