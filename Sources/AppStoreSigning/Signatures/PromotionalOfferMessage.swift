/// The text that a version 1 signature of a promotional offer covers.
///
/// - Source: StoreKit, Generating a signature for promotional offers.
struct PromotionalOfferMessage {
    /// U+2063, the invisible separator.
    static let separator: Character = "\u{2063}"

    /// The maximum length of the text.
    ///
    /// - Units: UTF-8 bytes.
    static let bytesMax = 8192

    var bundleId: String
    var keyId: String
    var productId: String
    var offerIdentifier: String
    /// In the signed form: lower case, empty for none.
    var appAccountToken: String
    /// In the signed form: lower case.
    var nonce: String
    /// Milliseconds since 1970, decimal.
    var timestamp: String

    /// The seven fields in Apple's order.
    private var fields: [String] {
        [bundleId, keyId, productId, offerIdentifier, appAccountToken, nonce, timestamp]
    }

    /// The text's bytes.
    var bytes: [UInt8] {
        Array(fields.joined(separator: String(Self.separator)).utf8)
    }

    /// Why the fields cannot be signed, as one sentence; `nil` if they can.
    ///
    /// With a separator inside a field, the same text could mean two different offers.
    var defect: String? {
        if [bundleId, keyId, productId, offerIdentifier].contains("") {
            return "The bundle id, the key id, the product and the offer may not be empty."
        }
        if fields.contains(where: { $0.unicodeScalars.contains("\u{2063}") }) {
            return "A field holds U+2063, which separates the fields; remove the invisible character."
        }
        if fields.reduce(0, { $0 + $1.utf8.count }) > Self.bytesMax {
            return "The fields have more than \(Self.bytesMax) bytes."
        }
        return nil
    }
}

extension PromotionalOfferMessage {
    /// The text of an offer with the other signed fields.
    init(_ offer: PromotionalOffer, bundleId: String, keyId: String, nonce: SignatureNonce, timestamp: Int64) {
        self.bundleId = bundleId
        self.keyId = keyId
        productId = offer.productId
        offerIdentifier = offer.offerIdentifier
        appAccountToken = offer.appAccountToken?.lowercased() ?? ""
        self.nonce = nonce.text
        self.timestamp = String(timestamp)
    }
}
