public import AppStoreModel
import PerennialPrimitives

/// A JWS taken apart without any check of who signed it.
///
/// For looking at data and for what Xcode signs. Nothing in it may be believed: whoever made the text chose every byte.
public struct UnverifiedJWS: Hashable, Sendable {
    /// The header as sent.
    public let header: JSONObject

    /// The payload as sent.
    public let payload: JSONObject

    /// The payload's JSON.
    ///
    /// - Units: UTF-8 bytes.
    public let payloadBytes: [UInt8]

    /// Takes a compact JWS apart; never checks the signature.
    ///
    /// - Throws: `malformed_jws` when it is not three base64url segments with a JSON object as header,
    ///   `payload_malformed` when the payload is not a JSON object.
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

    /// The payload of a compact JWS alone. The header, which is mostly certificates, and the signature are not looked
    /// at.
    ///
    /// For what was verified before and kept.
    ///
    /// - Throws: `malformed_jws` when it is not three segments, `payload_malformed` when the payload is not a JSON
    ///   object.
    package static func payload(of jws: [UInt8]) throws(VerificationFailure) -> JSONObject {
        let parts = try CompactJWS(jws)
        return try parts.payloadObject(try parts.payloadBytes())
    }

    /// Takes a compact JWS apart; never checks the signature.
    ///
    /// - Throws: As ``decode(_:)-([UInt8])``.
    public static func decode(_ jws: String) throws(VerificationFailure) -> UnverifiedJWS {
        try decode(Array(jws.utf8))
    }
}
