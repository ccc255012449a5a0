public import AppStoreModel
import PerennialPrimitives

/// A decoded JWS whose signature was not checked.
///
/// For inspection, and for data that Xcode signs. Do not trust its content: anyone can create it.
public struct UnverifiedJWS: Hashable, Sendable {
    /// The header as sent.
    public let header: JSONObject

    /// The payload as sent.
    public let payload: JSONObject

    /// The payload's JSON.
    ///
    /// - Units: UTF-8 bytes.
    public let payloadBytes: [UInt8]

    /// Decodes a compact JWS without checking its signature.
    ///
    /// - Throws: `malformed_jws` if it is not three base64url segments with a JSON object as header,
    ///   `payload_malformed` if the payload is not a JSON object.
    public static func decode(_ jws: [UInt8]) throws(VerificationFailure) -> UnverifiedJWS {
        let parts = try CompactJWS(jws)
        guard
            let headerBytes = Base64.decode(parts.header, .url),
            let header = try? JSONParser.parseObject(headerBytes),
            Base64.decode(parts.signature, .url) != nil
        else {
            throw VerificationFailure(
                code: .malformedJWS,
                message: "The header is not base64url of a JSON object, or the signature is not base64url."
            )
        }
        let payloadBytes = try parts.payloadBytes()
        let payload = try parts.payloadObject(payloadBytes)
        return UnverifiedJWS(header: header, payload: payload, payloadBytes: payloadBytes)
    }

    /// Decodes only the payload of a compact JWS. The header, which is mostly certificates, and the signature are
    /// skipped.
    ///
    /// For data that was verified before it was stored.
    ///
    /// - Throws: `malformed_jws` if it is not three segments, `payload_malformed` if the payload is not a JSON object.
    package static func payload(of jws: [UInt8]) throws(VerificationFailure) -> JSONObject {
        let parts = try CompactJWS(jws)
        return try parts.payloadObject(try parts.payloadBytes())
    }

    /// Decodes a compact JWS without checking its signature.
    ///
    /// - Throws: As ``decode(_:)-([UInt8])``.
    public static func decode(_ jws: String) throws(VerificationFailure) -> UnverifiedJWS {
        try decode(Array(jws.utf8))
    }
}
