import Crypto
import PerennialPrimitives
public import SubscriptionCore
import SubscriptionStorage

/// A position in an app's event feed, as opaque and URL-safe text. It is valid for one app in one environment.
///
/// The position after an event has the time at which the event was recorded. After an older copy of the database was
/// restored, new events get the sequence numbers of lost ones, but not their times: so a position after a lost event
/// is not mistaken for a position after a new one.
public struct EventCursor: Hashable, Sendable {
    /// The sequence number in the app's order of commits; 0 is before the first event.
    public let sequence: Int64
    /// When the event with this sequence number was recorded; nil if that is not known.
    public let recordedAt: Timestamp?
    /// The app of the feed.
    public let app: AppID

    private static let versionWithoutTime: UInt8 = 1
    private static let versionWithTime: UInt8 = 2
    private static let markByteCount = 6
    private static let numberByteCount = 8

    /// Makes a cursor from a sequence number.
    public init(sequence: Int64, recordedAt: Timestamp? = nil, app: AppID) {
        self.sequence = sequence
        self.recordedAt = recordedAt
        self.app = app
    }

    /// Reads a cursor; nil if the text is invalid or belongs to another app or environment.
    public init?(_ text: String, app: AppID) {
        let headByteCount = 1 + Self.markByteCount
        guard let bytes = [UInt8](hexadecimal: text), bytes.count > headByteCount else { return nil }
        guard bytes[1..<headByteCount].elementsEqual(Self.mark(of: app)) else { return nil }
        let numbers = bytes[headByteCount...]
        let (sequence, time) = (numbers.prefix(Self.numberByteCount), numbers.dropFirst(Self.numberByteCount))
        guard sequence.count == Self.numberByteCount, Self.number(sequence) >= 0 else { return nil }
        switch (bytes[0], time.count) {
        case (Self.versionWithoutTime, 0): self.init(sequence: Self.number(sequence), app: app)
        case (Self.versionWithTime, Self.numberByteCount):
            let recordedAt = Timestamp(milliseconds: Self.number(time))
            self.init(sequence: Self.number(sequence), recordedAt: recordedAt, app: app)
        default: return nil
        }
    }

    /// The cursor's text.
    public var text: String {
        let version = recordedAt == nil ? Self.versionWithoutTime : Self.versionWithTime
        let numbers = Self.bytes(sequence) + (recordedAt.map { Self.bytes($0.milliseconds) } ?? [])
        return ([version] + Self.mark(of: app) + numbers).hexadecimal
    }

    /// Whether this is the position after an event.
    func isAfter(_ record: EventRecord) -> Bool {
        record.sequence == sequence && recordedAt.map { $0 == record.recordedAt } ?? true
    }

    /// The bytes of a number, the most significant first.
    private static func bytes(_ number: Int64) -> [UInt8] { withUnsafeBytes(of: number.bigEndian, Array.init) }

    private static func number(_ bytes: some Sequence<UInt8>) -> Int64 { bytes.reduce(0) { $0 << 8 | Int64($1) } }

    /// Distinguishes the cursors of different apps; it is not secret.
    private static func mark(of app: AppID) -> [UInt8] {
        Array(SHA256.hash(data: Array("events of ".utf8) + Array(app.rawValue.utf8)).prefix(markByteCount))
    }
}

extension EventRecord {
    /// The position after the event.
    func cursor(of app: AppID) -> EventCursor { EventCursor(sequence: sequence, recordedAt: recordedAt, app: app) }
}
