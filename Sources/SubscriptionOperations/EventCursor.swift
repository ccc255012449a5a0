import Crypto
import PerennialPrimitives
public import SubscriptionCore

/// A place in an app's feed of events, as text for others: opaque, URL-safe, and of one app in one environment.
public struct EventCursor: Hashable, Sendable {
    /// The place in the app's order of commits; 0 is before the first event.
    public let place: Int64
    /// The app whose feed it is a place in.
    public let app: AppID

    private static let version: UInt8 = 1
    private static let markByteCount = 6
    private static let byteCount = 1 + markByteCount + 8

    /// Makes a cursor of a place.
    public init(place: Int64, app: AppID) {
        self.place = place
        self.app = app
    }

    /// Reads a cursor's text; nil where it is none, or one of another app or environment.
    public init?(_ text: String, app: AppID) {
        guard let bytes = [UInt8](hexadecimal: text), bytes.count == Self.byteCount else { return nil }
        guard bytes[0] == Self.version, bytes[1...Self.markByteCount].elementsEqual(Self.mark(of: app)) else {
            return nil
        }
        let place = bytes[(1 + Self.markByteCount)...].reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
        guard let place = Int64(exactly: place) else { return nil }
        self.init(place: place, app: app)
    }

    /// The cursor's text.
    public var text: String {
        let bytes = stride(from: 56, through: 0, by: -8).map { UInt8(truncatingIfNeeded: place >> Int64($0)) }
        return ([Self.version] + Self.mark(of: app) + bytes).hexadecimal
    }

    /// Tells cursors of one app from those of another; no secret.
    private static func mark(of app: AppID) -> [UInt8] {
        Array(SHA256.hash(data: Array("events of ".utf8) + Array(app.rawValue.utf8)).prefix(markByteCount))
    }
}
