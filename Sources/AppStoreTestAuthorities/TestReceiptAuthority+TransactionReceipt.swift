public import AppStoreModel
public import AppStoreSigning
import Crypto
import CryptoExtras
import PerennialPrimitives

extension TestReceiptAuthority {
    /// Creates a transaction receipt of iOS 6.
    ///
    /// - Parameters:
    ///   - purchase: The purchase; its dates are written if it has any.
    ///   - bundleId: The app.
    ///   - environment: The environment; old production receipts did not contain it.
    /// - Returns: The property list in base64, as apps sent it.
    /// - Throws: `signing_failed` if the cryptographic library fails.
    public func mintTransactionReceipt(
        _ purchase: InAppPurchaseReceipt,
        bundleId: String,
        environment: AppStoreEnvironment = .sandbox
    ) throws(SigningError) -> String {
        let purchaseInfo = Self.propertyList(Self.purchaseInfo(purchase, bundleId: bundleId))
        var entries = [
            ("signature", Self.base64(try signature(of: purchaseInfo))),
            ("purchase-info", Self.base64(purchaseInfo)),
        ]
        if environment != .production {
            entries.append(("environment", environment.rawValue))
        }
        entries += [("pod", "100"), ("signing-status", "0")]
        return Self.base64(Self.propertyList(entries))
    }

    /// Whether this authority created a transaction receipt, and it is unchanged.
    ///
    /// - Parameter text: The property list, or its base64.
    package func signed(transactionReceipt text: String) -> Bool {
        guard case .transactionReceipt(let bytes) = ReceiptText(text),
            let receipt = try? TransactionReceipt(bytes),
            let version = receipt.signature.first
        else { return false }
        let signature = receipt.signature.dropFirst().prefix(keys.leaf.keySizeInBits / 8)
        return keys.leaf.publicKey.isValidSignature(
            _RSA.Signing.RSASignature(rawRepresentation: signature),
            for: Insecure.SHA1.hash(data: [version] + receipt.purchaseInfo),
            padding: .insecurePKCS1v1_5
        )
    }

    private static func purchaseInfo(_ purchase: InAppPurchaseReceipt, bundleId: String) -> [(String, String)] {
        let optional: [(String, String?)] = [
            ("original-purchase-date-ms", purchase.originalPurchaseDate.map(String.init)),
            ("original-transaction-id", purchase.originalTransactionId ?? purchase.transactionId),
            ("bvrs", "1.0"),
            ("transaction-id", purchase.transactionId),
            ("quantity", String(purchase.quantity ?? 1)),
            ("product-id", purchase.productId),
            ("item-id", purchase.itemId.map(String.init)),
            ("bid", bundleId),
            ("purchase-date-ms", purchase.purchaseDate.map(String.init)),
            ("expires-date", purchase.expirationDate.map(String.init)),
            ("web-order-line-item-id", purchase.webOrderLineItemId.map(String.init)),
        ]
        return optional.compactMap { key, value in value.map { (key, $0) } }
    }

    /// A version, the signature over version and purchase, and the certificate of the key with its length.
    private func signature(of purchaseInfo: [UInt8]) throws(SigningError) -> [UInt8] {
        let version: UInt8 = 3
        let certificate = try leafCertificateDER()
        let length = withUnsafeBytes(of: UInt32(certificate.count).bigEndian) { Array($0) }
        do {
            let digest = Insecure.SHA1.hash(data: [version] + purchaseInfo)
            let signature = try keys.leaf.signature(for: digest, padding: .insecurePKCS1v1_5)
            return [version] + Array(signature.rawRepresentation) + length + certificate
        } catch {
            throw SigningError(code: .signingFailed, message: "The cryptographic library refused to sign.")
        }
    }

    private static func propertyList(_ entries: [(String, String)]) -> [UInt8] {
        let lines = entries.map { key, value in "\t\"\(key)\" = \"\(value)\";\n" }
        return Array("{\n\(lines.joined())}".utf8)
    }

    private static func base64(_ bytes: [UInt8]) -> String {
        String(decoding: Base64.encode(bytes, .standard), as: UTF8.self)
    }
}
