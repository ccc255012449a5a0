import AppStoreModel
import AppStoreSigning

/// A decoded signed text, with the signed texts inside it.
struct DecodedText {
    /// The outer text.
    let outer: UnverifiedJWS

    /// The signed texts inside, in document order.
    let inner: [SignedInside]

    /// Decodes a text; never checks a signature.
    ///
    /// - Throws: `malformed_jws` and `payload_malformed` for the outer text.
    init(_ bytes: [UInt8]) throws(VerificationFailure) {
        outer = try UnverifiedJWS.decode(bytes)
        inner = SignedInside.find(in: .object(outer.payload))
    }

    /// One object for programs.
    func json(nested: Bool) -> JSONObject {
        var object = Self.object(outer)
        if nested {
            var members = JSONObject()
            for item in inner { members[item.path] = .object(Self.object(item.jws)) }
            object["nested"] = .object(members)
        }
        return object
    }

    /// For people: one line per certificate, the complete payload, then the inner texts.
    var text: String {
        var parts = ["header " + ReadableJSON.text(.object(CertificateSummary.shortened(outer.header)))]
        parts.append("payload " + ReadableJSON.text(.object(outer.payload), hidesSigned: true))
        parts += inner.map(\.text)
        return parts.joined(separator: "\n")
    }

    private static func object(_ jws: UnverifiedJWS) -> JSONObject {
        ["header": .object(jws.header), "payload": .object(jws.payload)]
    }
}
