import AppStoreSigning
import Crypto
import SwiftASN1

/// Reads a private key, and explains files with other content.
enum KeyFile {
    /// The key in a file.
    ///
    /// - Throws: `key_unreadable` if the file cannot be read, `key_malformed` if it contains no P-256 private key.
    static func read(_ file: InputFile, keyId: String, issuerId: String) throws(CredentialError) -> InAppPurchaseKey {
        let text: String
        do {
            text = try file.readText()
        } catch {
            throw CredentialError(code: "key_unreadable", message: error.message)
        }
        do {
            return try InAppPurchaseKey(pem: text, keyId: keyId, issuerId: issuerId)
        } catch {
            throw CredentialError(
                code: error.code.rawValue,
                message: "\(file.name) is \(contentDescription(text)): give the .p8 file of an In-App Purchase key, "
                    + "a P-256 private key in PEM"
            )
        }
    }

    /// Names typical mistakes; never quotes the file, which may contain a secret.
    private static func contentDescription(_ text: String) -> String {
        guard let document = try? PEMDocument(pemString: text) else { return "not PEM" }
        switch document.discriminator {
        case "CERTIFICATE": return "a certificate, not a private key"
        case "PUBLIC KEY": return "a public key, not a private one"
        case "ENCRYPTED PRIVATE KEY": return "a private key with a password"
        case "RSA PRIVATE KEY": return "an RSA key"
        default: break
        }
        if (try? P384.Signing.PrivateKey(pemRepresentation: text)) != nil { return "a P-384 private key" }
        if (try? P521.Signing.PrivateKey(pemRepresentation: text)) != nil { return "a P-521 private key" }
        return "no P-256 private key"
    }
}

/// The error for unusable credentials.
struct CredentialError: Error, CustomStringConvertible {
    /// A stable reason in `snake_case`.
    let code: String
    /// One sentence with the remedy.
    let message: String

    var description: String { "\(code): \(message)" }
}
