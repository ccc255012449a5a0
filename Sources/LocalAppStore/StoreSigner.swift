import AppStoreSigning
import AppStoreTestAuthorities

/// What a store is given from outside and never writes along: its signer, and the developer's time.
struct StoreSigner: Sendable, Codable {
    private let signer: JWSSigner?
    /// Makes app receipts; without one, there are none.
    let receipts: TestReceiptAuthority?
    /// What the developer's clock shows, milliseconds since 1970, where it is known beside the store's.
    var developerNow: Int64?

    init(_ signer: JWSSigner, receipts: TestReceiptAuthority?) {
        self.signer = signer
        self.receipts = receipts
    }

    /// Reads nothing: what was decoded signs only when it is given a signer again.
    init(from decoder: any Decoder) throws {
        signer = nil
        receipts = nil
    }

    /// Writes nothing: keys are kept apart from what they sign.
    func encode(to encoder: any Encoder) throws { _ = encoder.container(keyedBy: NoKey.self) }

    /// Signs a payload.
    ///
    /// - Throws: `signing_failed`.
    func signed(_ payload: [UInt8]) throws(StoreError) -> String { try signing { try $0.sign(payload: payload) } }

    /// Signs payloads, in their order; many together take less time than each by itself.
    ///
    /// - Throws: `signing_failed`.
    func signed(_ payloads: [[UInt8]]) throws(StoreError) -> [String] {
        try signing { try $0.sign(payloads: payloads) }
    }

    private func signing<Signed>(_ sign: (JWSSigner) throws -> Signed) throws(StoreError) -> Signed {
        do {
            guard let signer else {
                throw SigningError(code: .signingFailed, message: "A decoded store signs after it was given a signer.")
            }
            return try sign(signer)
        } catch {
            throw StoreError(.signingFailed, kind: .failure, message: "The payload could not be signed: \(error).")
        }
    }

    private enum NoKey: CodingKey {}
}
