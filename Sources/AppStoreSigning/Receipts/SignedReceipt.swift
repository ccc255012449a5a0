package import SwiftASN1

/// The decoded container of a receipt: PKCS #7 (CMS) signed data.
///
/// - Source: RFC 5652, sections 3 and 5; RFC 2315 for the version that the App Store writes.
struct SignedReceipt {
    /// The maximum number of certificates; a receipt has three.
    static let certificatesMax = 8

    /// The attributes of the receipt, which the signature covers.
    let content: ArraySlice<UInt8>

    /// The certificates in the container, in DER and in the order sent.
    let certificates: [ArraySlice<UInt8>]

    /// The signers.
    let signers: [ReceiptSigner]

    /// Decodes a receipt; checks only its form.
    ///
    /// - Throws: `receipt_malformed` or `receipt_truncated`.
    init(_ bytes: [UInt8]) throws(VerificationFailure) {
        do throws(BERError) {
            var reader = BERReader(bytes[...])
            var contentInfo = try reader.enter(BERTag.sequence)
            try reader.expectEnd()
            guard try contentInfo.objectIdentifier() == .signedData else { throw .malformed }
            var explicit = try contentInfo.enter(BERTag.context0Constructed)
            try contentInfo.expectEnd()
            var signedData = try explicit.enter(BERTag.sequence)
            try explicit.expectEnd()

            _ = try signedData.integer()
            _ = try signedData.next(BERTag.set)
            content = try Self.content(&signedData)
            certificates = try Self.certificates(&signedData)
            _ = try signedData.next(if: BERTag.context1Constructed)
            signers = try Self.signers(&signedData)
            try signedData.expectEnd()
        } catch {
            throw VerificationFailure(error, reading: "The container of the receipt (PKCS #7 signed data)")
        }
    }

    private static func content(_ signedData: inout BERReader) throws(BERError) -> ArraySlice<UInt8> {
        var encapsulated = try signedData.enter(BERTag.sequence)
        guard try encapsulated.objectIdentifier() == .data else { throw .malformed }
        var explicit = try encapsulated.enter(BERTag.context0Constructed)
        try encapsulated.expectEnd()
        let content = try explicit.octetString()
        try explicit.expectEnd()
        return content
    }

    private static func certificates(_ signedData: inout BERReader) throws(BERError) -> [ArraySlice<UInt8>] {
        guard let element = try signedData.next(if: BERTag.context0Constructed) else { return [] }
        var set = try signedData.contents(of: element)
        var certificates: [ArraySlice<UInt8>] = []
        while !set.isAtEnd {
            guard certificates.count < certificatesMax else { throw .malformed }
            certificates.append(set.encoded(try set.next(BERTag.sequence)))
        }
        return certificates
    }

    private static func signers(_ signedData: inout BERReader) throws(BERError) -> [ReceiptSigner] {
        var set = try signedData.enter(BERTag.set)
        var signers: [ReceiptSigner] = []
        while !set.isAtEnd {
            // Several signers are refused later, so that the error is not "malformed".
            guard signers.count < 2 else { throw .malformed }
            var signer = try set.enter(BERTag.sequence)
            signers.append(try ReceiptSigner(&signer))
        }
        return signers
    }
}

/// The data of one signer of a receipt.
///
/// - Source: RFC 5652, section 5.3.
struct ReceiptSigner {
    /// How the signer's certificate is identified.
    enum Identifier {
        /// Its issuer's name in DER, and its serial number.
        case issuerAndSerialNumber(issuer: ArraySlice<UInt8>, serialNumber: ArraySlice<UInt8>)
        /// The value of its subject key identifier extension.
        case subjectKeyIdentifier(ArraySlice<UInt8>)
    }

    let identifier: Identifier
    let digestAlgorithm: ASN1ObjectIdentifier
    /// The attributes that are signed instead of the content, with their `[0]` header; absent if there are none.
    let signedAttributes: ArraySlice<UInt8>?
    let signatureAlgorithm: ASN1ObjectIdentifier
    let signature: ArraySlice<UInt8>

    init(_ signer: inout BERReader) throws(BERError) {
        _ = try signer.integer()
        if let element = try signer.next(if: BERTag.context0) {
            identifier = .subjectKeyIdentifier(signer.content(of: element))
        } else {
            var named = try signer.enter(BERTag.sequence)
            let issuer = named.encoded(try named.next(BERTag.sequence))
            identifier = .issuerAndSerialNumber(
                issuer: issuer,
                serialNumber: named.content(of: try named.next(BERTag.integer))
            )
            try named.expectEnd()
        }
        digestAlgorithm = try Self.algorithm(&signer)
        if let element = try signer.next(if: BERTag.context0Constructed) {
            // The signature covers the DER form, which has no indefinite length.
            guard !element.isIndefinite else { throw .malformed }
            signedAttributes = signer.encoded(element)
        } else {
            signedAttributes = nil
        }
        signatureAlgorithm = try Self.algorithm(&signer)
        signature = try signer.octetString()
        _ = try signer.next(if: BERTag.context1Constructed)
        try signer.expectEnd()
    }

    /// The identifier of an algorithm; the parameters are NULL or absent for all supported ones.
    private static func algorithm(_ reader: inout BERReader) throws(BERError) -> ASN1ObjectIdentifier {
        var sequence = try reader.enter(BERTag.sequence)
        return try sequence.objectIdentifier()
    }
}

extension ASN1ObjectIdentifier {
    /// PKCS #7: signed data.
    package static let signedData: ASN1ObjectIdentifier = [1, 2, 840, 113_549, 1, 7, 2]
    /// PKCS #7: bytes.
    package static let data: ASN1ObjectIdentifier = [1, 2, 840, 113_549, 1, 7, 1]
    /// PKCS #9: the signed attribute that repeats the content's type.
    package static let contentType: ASN1ObjectIdentifier = [1, 2, 840, 113_549, 1, 9, 3]
    /// PKCS #9: the signed attribute with the content's digest.
    package static let messageDigest: ASN1ObjectIdentifier = [1, 2, 840, 113_549, 1, 9, 4]
}
