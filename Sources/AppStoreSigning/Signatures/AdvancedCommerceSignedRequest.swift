public import AppStoreModel
import PerennialPrimitives

/// An Advanced Commerce request that the app passes to StoreKit: a charge, a new subscription, or a change of one.
///
/// - Source: StoreKit, Generating JWS to sign App Store requests, `request`; Advanced Commerce API, in-app requests.
public struct AdvancedCommerceSignedRequest: StoreKitRequestClaims {
    /// The purpose, sent as `aud`.
    public static let audience = "advanced-commerce-api"

    /// The request as JSON, exactly as it is signed.
    ///
    /// - Units: UTF-8 bytes.
    public let requestBytes: [UInt8]

    /// The request.
    public let request: JSONObject

    /// Makes a request; its members keep their order.
    public init(_ request: JSONObject) {
        self.request = request
        self.requestBytes = request.serialize()
    }

    /// Makes a request from the model.
    public init(_ request: some JSONRepresentable) {
        self.init(request.json)
    }

    /// Makes a request from JSON text, which is signed unchanged.
    ///
    /// - Throws: `request_malformed` if the bytes are not a JSON object.
    public init(requestBytes: [UInt8]) throws(SigningError) {
        do {
            self.request = try JSONParser.parseObject(requestBytes)
        } catch {
            throw SigningError(
                code: .requestMalformed,
                message: "The request is not a JSON object: \(error.description)."
            )
        }
        self.requestBytes = requestBytes
    }

    /// The operation, for example `CREATE_SUBSCRIPTION`.
    public var operation: String? {
        request["operation"]?.stringValue
    }

    /// Reads the claims of this kind from the claims of a JWS.
    ///
    /// - Throws: `ModelError` with `ModelError.Code.missingField` without `request`, and with
    ///   `ModelError.Code.wrongType` or `ModelError.Code.malformedJSON` if it is not base64 of a JSON object.
    public init(claims: JSONObject) throws(ModelError) {
        var fields = JSONFields(claims)
        let encoded: String = try fields.require("request")
        guard let bytes = Base64.decode(encoded.utf8, .standard) else {
            throw ModelError(.wrongType, path: "request", message: "Expected padded standard base64 of a JSON object.")
        }
        do {
            request = try JSONParser.parseObject(bytes)
        } catch {
            throw ModelError(.malformedJSON, path: "request", message: "Not a JSON object: \(error.description).")
        }
        requestBytes = bytes
    }

    /// The claims: the request in standard base64.
    public var claims: JSONObject {
        ["request": .string(String(decoding: Base64.encode(requestBytes, .standard), as: UTF8.self))]
    }
}
