import AppStoreModel
import AppStoreSigning
import Foundation
import PerennialPrimitives
import SwiftASN1
import X509

/// The useful parts of a certificate in a header: its subject, and its validity.
enum CertificateSummary {
    /// The header with one line per certificate of `x5c`.
    static func shortened(_ header: JSONObject) -> JSONObject {
        guard let chain = header["x5c"]?.arrayValue else { return header }
        var header = header
        header["x5c"] = .array(chain.map { .string(line($0)) })
        return header
    }

    private static func line(_ value: JSONValue) -> String {
        guard
            let text = value.stringValue,
            let der = Base64.decode(text.utf8, .standard),
            let certificate = try? Certificate(derEncoded: der)
        else { return "(not a certificate)" }
        let from = certificate.notValidBefore.formatted(.iso8601)
        let until = certificate.notValidAfter.formatted(.iso8601)
        return "\(certificate.subject), valid from \(from) until \(until)"
    }
}
