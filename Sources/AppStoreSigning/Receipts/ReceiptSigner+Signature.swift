import SwiftASN1
import X509

extension ReceiptSigner {
    /// Refuses content that was not signed by a certificate's key.
    ///
    /// The key signs the content, or attributes with the content's digest.
    ///
    /// - Throws: `receipt_malformed`, `receipt_digest_mismatch` or `signature_invalid`.
    func check(_ content: ArraySlice<UInt8>, digest: ReceiptDigest, leaf: Certificate) throws(VerificationFailure) {
        let signed: ArraySlice<UInt8>
        if let signedAttributes {
            let attributes: SignedAttributes
            do throws(BERError) {
                attributes = try SignedAttributes(signedAttributes)
            } catch {
                throw .receiptMalformed("The signed attributes are not those of a receipt.")
            }
            guard attributes.contentType == .data else {
                throw .receiptMalformed("The signed attributes are about another type of content.")
            }
            guard attributes.messageDigest.elementsEqual(digest.hash(content)) else {
                throw VerificationFailure(
                    code: .receiptDigestMismatch,
                    message: "The content is not the one that was signed; send the receipt unchanged."
                )
            }
            // The signed bytes are the SET, not the `[0]` that replaces its tag.
            signed = [BERTag.set] + signedAttributes.dropFirst()
        } else {
            signed = content
        }
        let isSigned = leaf.publicKey.isValidSignature(
            signature,
            for: signed,
            signatureAlgorithm: digest.signatureAlgorithm
        )
        guard isSigned else {
            throw VerificationFailure(
                code: .signatureInvalid,
                message: "The signature does not belong to this content and certificate; send the receipt unchanged."
            )
        }
    }
}

/// The two attributes that are required if any are signed.
///
/// - Source: RFC 5652, sections 11.1 and 11.2.
private struct SignedAttributes {
    let contentType: ASN1ObjectIdentifier
    let messageDigest: ArraySlice<UInt8>

    /// Reads attributes, each of which may occur once.
    init(_ bytes: ArraySlice<UInt8>) throws(BERError) {
        var outer = BERReader(bytes)
        var set = try outer.enter(BERTag.context0Constructed)
        var contentType: ASN1ObjectIdentifier?
        var messageDigest: ArraySlice<UInt8>?
        while !set.isAtEnd {
            var attribute = try set.enter(BERTag.sequence)
            let type = try attribute.objectIdentifier()
            var values = try attribute.enter(BERTag.set)
            try attribute.expectEnd()
            switch type {
            case .contentType:
                guard contentType == nil else { throw .malformed }
                contentType = try values.objectIdentifier()
                try values.expectEnd()
            case .messageDigest:
                guard messageDigest == nil else { throw .malformed }
                messageDigest = try values.octetString()
                try values.expectEnd()
            default: break
            }
        }
        guard let contentType, let messageDigest else { throw .malformed }
        self.contentType = contentType
        self.messageDigest = messageDigest
    }
}
