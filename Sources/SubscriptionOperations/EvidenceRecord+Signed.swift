import Crypto
import PerennialPrimitives
import SubscriptionCore
import SubscriptionStorage

extension EvidenceRecord {
    /// Signed data outside a notification; the digest of its bytes is its identifier.
    ///
    /// - Parameters:
    ///   - kind: The kind of input; not a notification.
    ///   - signedBytes: The compact JWS.
    ///   - app: The app in it.
    ///   - signedDate: When it was signed, in milliseconds since 1970.
    ///   - receivedAt: When the server received it.
    init(_ kind: Kind, _ signedBytes: [UInt8], of app: AppID, signedDate: Int64, receivedAt: Timestamp) {
        self.init(
            appID: app,
            id: EvidenceID("\(kind.rawValue):\(SHA256.hash(data: signedBytes).hexadecimal)"),
            kind: kind,
            signedAt: Timestamp(milliseconds: signedDate),
            receivedAt: receivedAt,
            signedBytes: signedBytes
        )
    }
}
