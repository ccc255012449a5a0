import Foundation
import SwiftASN1

/// Root certificates in files: one in DER, or any number in PEM.
enum RootCertificateFiles {
    private static let pemStart = "-----BEGIN"

    /// The certificates of all files, in DER.
    ///
    /// - Throws: As ``InputFile/read()``, and `input_malformed` for PEM without certificates or with other content.
    static func read(_ files: [InputFile]) throws(InputError) -> [[UInt8]] {
        var certificates: [[UInt8]] = []
        for file in files {
            certificates += try read(file)
        }
        return certificates
    }

    private static func read(_ file: InputFile) throws(InputError) -> [[UInt8]] {
        let bytes = try file.read()
        guard
            let text = String(validating: bytes, as: UTF8.self),
            let start = text.range(of: pemStart)?.lowerBound
        else { return [bytes] }
        let documents = (try? PEMDocument.parseMultiple(pemString: String(text[start...]))) ?? []
        guard !documents.isEmpty, documents.allSatisfy({ $0.discriminator == "CERTIFICATE" }) else {
            throw InputError(.malformed, "\(file.name) is not a certificate: give root certificates in PEM or DER")
        }
        return documents.map(\.derBytes)
    }
}
