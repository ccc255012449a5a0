import AppStoreSigning
import Foundation

/// The further keys of the setting `app_store.keys`: `KEY_ID:ISSUER_ID:FILE`, or `BUNDLE_ID=KEY_ID:ISSUER_ID:FILE` for
/// one app.
struct AppStoreKeySettings {
    /// For every app without own keys, in order.
    private(set) var keys: [InAppPurchaseKey] = []
    /// For one app, in order.
    private(set) var keysByApp: [String: [InAppPurchaseKey]] = [:]
    private(set) var problems: [String] = []

    init(_ texts: [String]) {
        for text in texts {
            do throws(Problem) {
                let (app, key) = try Self.key(in: text)
                if let app { keysByApp[app, default: []].append(key) } else { keys.append(key) }
            } catch {
                problems.append(error.message)
            }
        }
    }

    /// A problem of one text; it repeats no part of a key.
    struct Problem: Error {
        let message: String
    }

    private static func key(in text: String) throws(Problem) -> (app: String?, key: InAppPurchaseKey) {
        let halves = text.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
        let parts = (halves.last ?? "").split(separator: ":", maxSplits: 2, omittingEmptySubsequences: false)
            .map(String.init)
        guard parts.count == 3, !parts.contains(""), halves.first != "" else {
            throw Problem(message: "\"\(text)\" is not a key. Allowed: [BUNDLE_ID=]KEY_ID:ISSUER_ID:FILE")
        }
        let key = try self.key(file: parts[2], keyID: parts[0], issuerID: parts[1])
        return (halves.count == 2 ? halves[0] : nil, key)
    }

    /// Reads the file of a key.
    ///
    /// - Throws: ``Problem`` if it is missing or contains no private key.
    static func key(file: String, keyID: String, issuerID: String) throws(Problem) -> InAppPurchaseKey {
        do {
            let pem = try String(contentsOf: URL(fileURLWithPath: file), encoding: .utf8)
            return try InAppPurchaseKey(pem: pem, keyId: keyID, issuerId: issuerID)
        } catch {
            let isThere = FileManager.default.fileExists(atPath: file)
            let what =
                isThere
                ? "is not a P-256 private key in PEM (PKCS #8) that this user may read: give the .p8 file of an In-App "
                    + "Purchase key"
                : "is not there"
            throw Problem(message: "\"\(file)\" \(what)")
        }
    }
}
