import Crypto
import PerennialPrimitives
import SubscriptionCore
import SubscriptionStorage

extension EvidenceRecord {
    /// Signed data that came without a notification: its bytes are its name.
    ///
    /// - Parameters:
    ///   - kind: What kind of input it is; no notification.
    ///   - signedBytes: The compact JWS.
    ///   - app: The app it speaks of.
    ///   - signedDate: When it was signed, in milliseconds since 1970.
    ///   - receivedAt: When the server took it.
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
