package import AppStoreModel
import HTTPTypes
package import Hummingbird
import NIOCore

extension Response {
    /// A response with a JSON object.
    package static func json(_ object: JSONObject, status: HTTPResponse.Status = .ok) -> Response {
        json(bytes: JSONValue.object(object).serialize(), status: status)
    }

    static func json(bytes: [UInt8], status: HTTPResponse.Status = .ok) -> Response {
        Response(
            status: status,
            headers: [.contentType: "application/json"],
            body: ResponseBody(byteBuffer: ByteBuffer(bytes: bytes))
        )
    }
}
