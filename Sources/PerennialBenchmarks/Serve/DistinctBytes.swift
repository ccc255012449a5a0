import AppStoreModel
import AppStoreSigning

/// The unique content of a notification, as the reference for its stored size.
///
/// Its JSON, that of the inner signed data, and the raw signatures. Not the shared certificates, and not the base64
/// encoding.
enum DistinctBytes {
    private static let rawSignatureBytes = 64

    /// The number of these bytes in a compact JWS.
    ///
    /// - Throws: `VerificationFailure` for an invalid one.
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
