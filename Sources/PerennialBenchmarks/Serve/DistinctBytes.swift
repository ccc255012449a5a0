import AppStoreModel
import AppStoreSigning

/// What only one notification has to say, beside which the rest of what is stored for it is counted.
///
/// Its JSON and that of the signed data inside, and the signatures, raw. Not the certificates, which all have in
/// common, and not the base64 around.
enum DistinctBytes {
    private static let rawSignatureBytes = 64

    /// The number of such bytes in a compact JWS.
    ///
    /// - Throws: `VerificationFailure` where it is none.
    static func count(in jws: [UInt8]) throws(VerificationFailure) -> Int {
        let opened = try UnverifiedJWS.decode(jws)
        var count = rawSignatureBytes + opened.payloadBytes.count
        for inner in inside(.object(opened.payload)) {
            count += try self.count(in: Array(inner.utf8)) - inner.utf8.count
        }
        return count
    }

    /// The signed texts in a payload.
    private static func inside(_ value: JSONValue) -> [String] {
        switch value {
        case .object(let object): object.members.flatMap { inside($0.value) }
        case .array(let elements): elements.flatMap(inside)
        case .string(let text): text.hasPrefix("eyJ") && text.utf8.count { $0 == UInt8(ascii: ".") } == 2 ? [text] : []
        case .null, .bool, .integer, .decimal: []
        }
    }
}
