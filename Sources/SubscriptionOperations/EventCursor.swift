import Crypto
import PerennialPrimitives
public import SubscriptionCore

/// A position in an app's event feed, as opaque and URL-safe text. It is valid for one app in one environment.
public struct EventCursor: Hashable, Sendable {
    /// The sequence number in the app's order of commits; 0 is before the first event.
    public let sequence: Int64
    /// The app of the feed.
    public let app: AppID

    private static let version: UInt8 = 1
    private static let markByteCount = 6
    private static let byteCount = 1 + markByteCount + 8

    /// Makes a cursor from a sequence number.
    public init(sequence: Int64, app: AppID) {
        self.sequence = sequence
        self.app = app
    }

    /// Reads a cursor; nil if the text is invalid or belongs to another app or environment.
    public init?(_ text: String, app: AppID) {
        guard let bytes = [UInt8](hexadecimal: text), bytes.count == Self.byteCount else { return nil }
        guard bytes[0] == Self.version, bytes[1...Self.markByteCount].elementsEqual(Self.mark(of: app)) else {
            return nil
        }
        let bits = bytes[(1 + Self.markByteCount)...].reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
        guard let sequence = Int64(exactly: bits) else { return nil }
        self.init(sequence: sequence, app: app)
    }

    /// The cursor's text.
    public var text: String {
        let bytes = stride(from: 56, through: 0, by: -8).map { UInt8(truncatingIfNeeded: sequence >> Int64($0)) }
        return ([Self.version] + Self.mark(of: app) + bytes).hexadecimal
    }

    /// Distinguishes the cursors of different apps; it is not secret.
    private static func mark(of app: AppID) -> [UInt8] {
        Array(SHA256.hash(data: Array("events of ".utf8) + Array(app.rawValue.utf8)).prefix(markByteCount))
    }
}
