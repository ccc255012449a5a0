import SwiftASN1
import X509

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// What RFC 5280 lets a certificate of a fixed path do.
///
/// An extension that cannot be read allows nothing.
extension Certificate {
    /// Not a certificate authority.
    var isEndEntity: Bool {
        do {
            guard let constraints = try extensions.basicConstraints else { return true }
            if case .isCertificateAuthority = constraints { return false }
            return true
        } catch {
            return false
        }
    }

    /// A certificate authority whose key usage, when it names any, allows signing certificates.
    ///
    /// Both path lengths that can occur are satisfied by the fixed path: the intermediate has no authority below it,
    /// and a root that limits to zero is refused because it has one.
    var mayIssueCertificates: Bool {
        guard
            version == .v3,
            let constraints = try? extensions.basicConstraints,
            case .isCertificateAuthority(let pathLength) = constraints,
            subject != issuer || pathLength != 0
        else { return false }
        return allows(\.keyCertSign)
    }

    /// A certificate whose key usage, when it names any, allows signing data.
    var maySignData: Bool {
        version == .v3 && allows(\.digitalSignature)
    }

    /// Whether every critical extension is one that is checked here.
    var hasOnlyKnownDemands: Bool {
        let known: [ASN1ObjectIdentifier] = [.X509ExtensionID.basicConstraints, .X509ExtensionID.keyUsage]
        return extensions.allSatisfy { !$0.critical || known.contains($0.oid) }
            && extensions[oid: .X509ExtensionID.nameConstraints] == nil
    }

    /// Whether an authority's name and key are on the certificate.
    func isIssued(by authority: Certificate) -> Bool {
        issuer == authority.subject && authority.publicKey.isValidSignature(signature, for: self)
    }

    private func allows(_ usage: (KeyUsage) -> Bool) -> Bool {
        do {
            return try extensions.keyUsage.map(usage) ?? true
        } catch {
            return false
        }
    }
}

extension Certificate {
    /// Whether a certificate names the same signature algorithm inside of what is signed and outside, as RFC 5280
    /// demands (4.1.1.2); swift-certificates does not compare them.
    ///
    /// - Parameter der: A certificate that could be read.
    static func namesOneAlgorithm(_ der: [UInt8]) -> Bool {
        let algorithms = try? DER.sequence(DER.parse(der), identifier: .sequence) { parts in
            guard let signed = parts.next(), let outer = parts.next(), parts.next() != nil else {
                throw ASN1Error.invalidASN1Object(reason: "three parts")
            }
            return (inner: try algorithm(inside: signed), outer: outer.encodedBytes)
        }
        guard let algorithms else { return false }
        return algorithms.inner == algorithms.outer
    }

    /// The algorithm in a `TBSCertificate`: what follows the serial number.
    private static func algorithm(inside signed: ASN1Node) throws -> ArraySlice<UInt8> {
        guard case .constructed(let nodes) = signed.content else {
            throw ASN1Error.invalidASN1Object(reason: "a sequence")
        }
        let fields = nodes.drop { $0.identifier.tagClass == .contextSpecific }.dropFirst()
        guard let algorithm = fields.first(where: { _ in true }) else {
            throw ASN1Error.invalidASN1Object(reason: "an algorithm")
        }
        return algorithm.encodedBytes
    }
}

extension Certificate {
    /// Subject, validity and key, for a person.
    var account: String {
        "\(subject.description); valid \(notValidBefore.milliseconds.asTime) to \(notValidAfter.milliseconds.asTime); "
            + "key \(publicKey.description)"
    }
}

extension Date {
    /// Milliseconds since 1970 (UTC).
    var milliseconds: Int64 {
        Int64(timeIntervalSince1970 * 1000)
    }
}

extension Int64 {
    /// Milliseconds since 1970 as a date and time in UTC; the number itself outside of the years 1 to 9999.
    var asTime: String {
        guard (-62_135_596_800_000...253_402_300_799_999).contains(self) else {
            return "\(self) ms since 1970"
        }
        return Date(timeIntervalSince1970: Double(self) / 1000).formatted(.iso8601)
    }
}
