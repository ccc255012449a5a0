package import SwiftASN1

/// Apple's private certificate extensions that mark a certificate's purpose; only their presence counts.
///
/// - Source: Apple's server libraries check both on every chain.
package enum MarkerOID {
    /// On the leaf: signs receipts and App Store data.
    package static let receiptSigning: ASN1ObjectIdentifier = [1, 2, 840, 113_635, 100, 6, 11, 1]
    /// On the intermediate: Apple Worldwide Developer Relations.
    package static let worldwideDeveloperRelations: ASN1ObjectIdentifier = [1, 2, 840, 113_635, 100, 6, 2, 1]
}
