import AppStoreModel
import PerennialPrimitives

/// The members of a JWS header that determine its verification.
struct JWSHeader {
    /// The signature algorithm.
    let algorithm: String
    /// The signing key, for tokens without a chain.
    let keyId: String?
    /// The certificates, leaf first, each still in standard base64.
    let encodedChain: [String]

    /// Reads a header segment.
    ///
    /// - Throws: `malformed_jws` if it is not base64url of a JSON object or has no `alg`; `algorithm_not_supported` for
    ///   algorithms other than ES256, and for a `crit` member, because no extensions are supported.
    init(segment: ArraySlice<UInt8>) throws(VerificationFailure) {
        guard
            let bytes = Base64.decode(segment, .url),
            let object = try? JSONParser.parseObject(bytes),
            case .string(let algorithm) = object["alg"]
        else {
            throw VerificationFailure(
                code: .malformedJWS,
                message: "The header is not base64url of a JSON object with an alg; send the signed text unchanged."
            )
        }
        guard algorithm == "ES256", object["crit"] == nil else {
            throw VerificationFailure(
                code: .algorithmNotSupported,
                message: "The App Store signs with ES256 and no critical extensions; this header differs."
            )
        }
        self.algorithm = algorithm
        if case .string(let keyId) = object["kid"] {
            self.keyId = keyId
        } else {
            self.keyId = nil
        }
        self.encodedChain = try Self.chain(object["x5c"])
    }

    /// The certificates in DER.
    ///
    /// - Throws: `chain_length` unless there are three, `certificate_malformed` if one is not canonical base64.
    func chain() throws(VerificationFailure) -> [[UInt8]] {
        guard encodedChain.count == 3 else {
            throw .chainLength(found: encodedChain.count)
        }
        var chain: [[UInt8]] = []
        for text in encodedChain {
            guard let certificate = Base64.decode(text.utf8, .standard) else {
                throw VerificationFailure(
                    code: .certificateMalformed,
                    message: "A certificate in x5c is not canonical base64."
                )
            }
            chain.append(certificate)
        }
        return chain
    }

    private static func chain(_ value: JSONValue?) throws(VerificationFailure) -> [String] {
        guard let value else { return [] }
        guard case .array(let elements) = value else {
            throw VerificationFailure(code: .malformedJWS, message: "The header's x5c is not a list of certificates.")
        }
        var texts: [String] = []
        for element in elements {
            guard case .string(let text) = element else {
                throw VerificationFailure(code: .malformedJWS, message: "The header's x5c is not a list of texts.")
            }
            texts.append(text)
        }
        return texts
    }
}

extension VerificationFailure {
    /// The refusal of a chain that does not have three certificates.
    static func chainLength(found count: Int) -> Self {
        VerificationFailure(
            code: .chainLength,
            message: "The header has \(count) certificate(s); the App Store sends leaf, intermediate and root. "
                + "Data signed by Xcode has one, and is not accepted."
        )
    }
}
