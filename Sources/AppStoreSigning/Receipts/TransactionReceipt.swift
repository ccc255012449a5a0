/// A transaction receipt of iOS 6, one per purchase (`SKPaymentTransaction.transactionReceipt`).
///
/// A property list whose `purchase-info` is base64 of another one; its signature is not checked.
package struct TransactionReceipt: Hashable {
    /// The transaction; absent if the receipt has none.
    package let transactionId: String?
    /// The transaction that it renews or restores.
    package let originalTransactionId: String?
    /// The product.
    package let productId: String?
    /// The app.
    package let bundleId: String?
    /// `Sandbox`, or `Production` if it is specified at all.
    package let environment: String?
    /// The signed part: the inner list.
    package let purchaseInfo: [UInt8]
    /// A version, the signature and the signer's certificate; empty if there is none.
    package let signature: [UInt8]

    /// Reads a transaction receipt.
    package init(_ text: [UInt8]) throws(BERError) {
        let outer = try PropertyListText.dictionary(text)
        guard let purchaseInfo = outer["purchase-info"] else { throw .malformed }
        guard let (inner, isWhole) = ReceiptText.base64(Array(purchaseInfo.utf8)) else { throw .malformed }
        guard isWhole else { throw .truncated }
        let purchase = try PropertyListText.dictionary(inner)
        transactionId = purchase["transaction-id"]
        originalTransactionId = purchase["original-transaction-id"]
        productId = purchase["product-id"]
        bundleId = purchase["bid"]
        environment = outer["environment"]
        self.purchaseInfo = inner
        signature = outer["signature"].flatMap { ReceiptText.base64(Array($0.utf8))?.bytes } ?? []
    }
}

/// The maximum number of entries; a receipt has about thirty.
private enum PropertyListText {
    /// With duplicates, readers could disagree.
    static let entriesMax = 256

    static func dictionary(_ text: [UInt8]) throws(BERError) -> [String: String] {
        var reader = Reader(rest: text[...])
        try reader.expect("{")
        var entries: [String: String] = [:]
        while reader.peek() != UInt8(ascii: "}") {
            guard entries.count < entriesMax else { throw .malformed }
            let key = try reader.string()
            try reader.expect("=")
            let value = try reader.string()
            try reader.expect(";")
            // The next character that is not blank.
            guard entries.updateValue(value, forKey: key) == nil else { throw .malformed }
        }
        try reader.expect("}")
        guard reader.peek() == nil else { throw .malformed }
        return entries
    }

    private struct Reader {
        var rest: ArraySlice<UInt8>

        /// The next character that is no blank.
        mutating func peek() -> UInt8? {
            rest = rest.drop { $0 <= UInt8(ascii: " ") }
            return rest.first
        }

        mutating func expect(_ character: Unicode.Scalar) throws(BERError) {
            guard let next = peek() else { throw .truncated }
            guard next == UInt8(ascii: character) else { throw .malformed }
            rest.removeFirst()
        }

        /// A string, in quotation marks or, if it is a plain word, without.
        mutating func string() throws(BERError) -> String {
            guard let first = peek() else { throw .truncated }
            if first == UInt8(ascii: "\"") {
                rest.removeFirst()
                return try quoted()
            }
            let token = rest.prefix { $0 > UInt8(ascii: " ") && !"\"={};".utf8.contains($0) }
            guard !token.isEmpty else { throw .malformed }
            rest = rest.dropFirst(token.count)
            return String(decoding: token, as: UTF8.self)
        }

        private mutating func quoted() throws(BERError) -> String {
            var characters: [UInt8] = []
            while let character = rest.popFirst() {
                switch character {
                case UInt8(ascii: "\""): return String(decoding: characters, as: UTF8.self)
                case UInt8(ascii: "\\"):
                    guard let escaped = rest.popFirst() else { throw .truncated }
                    characters.append(escaped)
                default: characters.append(character)
                }
            }
            throw .truncated
        }
    }
}
