import AppStoreModel
import HTTPTypes
import Hummingbird
import HummingbirdCore
import NIOCore

extension Request {
    /// The maximum size of a body, the same as in Apple's own libraries.
    static let bodyBytesMax = 1_048_576

    /// The bytes of the body.
    ///
    /// - Parameter limit: The maximum size.
    /// - Throws: `body_too_large` beyond the limit.
    func bodyBytes(upTo limit: Int = bodyBytesMax) async throws -> [UInt8] {
        do {
            return Array(buffer: try await body.collect(upTo: limit))
        } catch is NIOTooManyBytesError {
            throw StoreCallError(
                .contentTooLarge,
                code: "body_too_large",
                message: "the body is larger than \(limit) bytes: send less"
            )
        }
    }

    /// The body as a JSON object with only the given members. An absent body equals `{}`.
    ///
    /// - Throws: `malformed_json`, `not_an_object`, `unknown_field`, `body_too_large`.
    func fields(_ known: Set<String>) async throws -> RequestFields {
        let bytes = try await bodyBytes()
        return try RequestFields(bytes.isEmpty ? JSONObject() : Self.object(bytes), known: known)
    }

    private static func object(_ bytes: [UInt8]) throws(StoreCallError) -> JSONObject {
        let value: JSONValue
        do {
            value = try JSONParser.parse(bytes)
        } catch {
            throw .invalid(
                "malformed_json",
                "the body is not well-formed JSON (\(error)): send one JSON object"
            )
        }
        guard case .object(let object) = value else {
            throw .invalid("not_an_object", "the body must be one JSON object")
        }
        return object
    }
}
