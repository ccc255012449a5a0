import AppStoreSigning
import AppStoreTestAuthorities

/// The external parts of a store that are never encoded: its signer, and the developer's time.
struct StoreSigner: Sendable, Codable {
    private let signer: JWSSigner?
    /// Creates app receipts; without it, there are none.
    let receipts: TestReceiptAuthority?
    /// The time of the developer's clock, milliseconds since 1970, if it is known.
    var developerNow: Int64?

    init(_ signer: JWSSigner, receipts: TestReceiptAuthority?) {
        self.signer = signer
        self.receipts = receipts
    }

    /// Decodes nothing: a decoded store needs a signer before it can sign.
    init(from decoder: any Decoder) throws {
        signer = nil
        receipts = nil
    }

    /// Encodes nothing: keys are stored separately.
    func encode(to encoder: any Encoder) throws { _ = encoder.container(keyedBy: NoKey.self) }

    /// Signs a payload.
    ///
    /// - Throws: `signing_failed`.
    func signed(_ payload: [UInt8]) throws(StoreError) -> String { try signing { try $0.sign(payload: payload) } }

    /// Signs payloads in order; a batch takes less time than single signatures.
    ///
    /// - Throws: `signing_failed`.
    func signed(_ payloads: [[UInt8]]) throws(StoreError) -> [String] {
        try signing { try $0.sign(payloads: payloads) }
    }

    private func signing<Signed>(_ sign: (JWSSigner) throws -> Signed) throws(StoreError) -> Signed {
        do {
            guard let signer else {
                throw SigningError(code: .signingFailed, message: "A decoded store needs a signer before it can sign.")
            }
            return try sign(signer)
        } catch {
            throw StoreError(.signingFailed, "The payload could not be signed: \(error).")
        }
    }

    private enum NoKey: CodingKey {}
}
