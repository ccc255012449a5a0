import AppStoreModel
import PerennialPrimitives

/// A JWS in compact form, split at its two dots without copying.
struct CompactJWS {
    /// The whole text.
    let bytes: [UInt8]
    /// The protected header, base64url.
    let header: ArraySlice<UInt8>
    /// The payload, base64url.
    let payload: ArraySlice<UInt8>
    /// The signature, base64url.
    let signature: ArraySlice<UInt8>

    /// The signed part: header, dot and payload exactly as sent.
    var signingInput: ArraySlice<UInt8> {
        bytes[..<payload.endIndex]
    }

    /// Splits the text.
    ///
    /// - Throws: `malformed_jws` if there are fewer than three segments, or an empty one.
    init(_ bytes: [UInt8]) throws(VerificationFailure) {
        guard let (first, last) = Self.dots(in: bytes), first > 0, last > first + 1, last + 1 < bytes.count else {
            throw VerificationFailure(
                code: .malformedJWS,
                message: "A JWS has three segments between dots; send the whole signed text, unchanged."
            )
        }
        self.bytes = bytes
        self.header = bytes[..<first]
        self.payload = bytes[(first + 1)..<last]
        self.signature = bytes[(last + 1)...]
    }

    /// The positions of the first and the last dot; `nil` unless there are two.
    ///
    /// A further dot would be in the payload, whose decoding refuses it, so no search is needed here.
    private static func dots(in bytes: [UInt8]) -> (first: Int, last: Int)? {
        bytes.withUnsafeBytes { bytes in
            let dot = UInt8(ascii: ".")
            guard let first = bytes.offset(of: dot), let last = bytes.lastIndex(of: dot), last > first else {
                return nil
            }
            return (first, last)
        }
    }

    /// The payload's JSON text.
    ///
    /// - Throws: `malformed_jws` if the segment is not canonical base64url.
    func payloadBytes() throws(VerificationFailure) -> [UInt8] {
        guard let bytes = Base64.decode(payload, .url) else {
            throw VerificationFailure(code: .malformedJWS, message: "The payload is not canonical base64url.")
        }
        return bytes
    }

    /// The payload's JSON object.
    ///
    /// - Throws: `payload_malformed` if the bytes are not a JSON object within the parser's limits.
    func payloadObject(_ bytes: [UInt8]) throws(VerificationFailure) -> JSONObject {
        do {
            return try JSONParser.parseObject(bytes)
        } catch {
            throw VerificationFailure(
                code: .payloadMalformed,
                message: "The payload is not a JSON object: \(error.description)."
            )
        }
    }
}
