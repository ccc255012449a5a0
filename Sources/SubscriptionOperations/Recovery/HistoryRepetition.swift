import AppStoreClient
import AppStoreModel
import AppStoreSigning
import PerennialPrimitives
import SubscriptionCore
import SubscriptionStorage

/// Notices that the cursors of a window or the contents of its pages come again, because such a history never ends. Its
/// size does not depend on the length of the history.
///
/// The same cursor leads to the same pages. The contents of a whole page may come again once in a history that ends:
/// new notifications move earlier ones to the next page. Pages without notifications say nothing about contents;
/// ``AppStorePages`` limits how many of them follow one another.
///
/// Repeated cursors are noticed within about three times as many pages as the cycle has, or as come before it if those
/// are more; repeated contents within about six times.
struct HistoryRepetition: Hashable, Sendable {
    /// How often the contents of a page come again in a history that does not end.
    private static let returnsMin = 2

    private let window: RecoveryWindowID
    private let restarts: Int
    private var cursors = RepeatedValue<PageCursor>()
    private var contents = RepeatedValue<UInt64>()

    /// Begins a pass of a window.
    init(of window: RecoveryWindow) {
        self.window = window.id
        restarts = window.restarts
    }

    /// Whether a window is still in the same pass: the next pass has the same pages again.
    func isPass(of window: RecoveryWindow) -> Bool { self.window == window.id && restarts == window.restarts }

    /// Notes a page that is not the last.
    ///
    /// - Parameter cursor: The cursor of the next page.
    /// - Returns: Whether the history does not end.
    mutating func note(_ items: [NotificationHistoryResponseItem], next cursor: PageCursor?) -> Bool {
        if let cursor, cursors.note(cursor) > 0 { return true }
        guard !items.isEmpty else { return false }
        return contents.note(Self.hash(of: items)) >= Self.returnsMin
    }

    /// The hash of the notifications' identifiers. Apple may sign a notification again for each query, so only the
    /// bytes of one that cannot be read count.
    private static func hash(of items: [NotificationHistoryResponseItem]) -> UInt64 {
        var hash = FNV1a()
        for item in items {
            let bytes = Array(item.signedPayload.utf8)
            let payload = try? UnverifiedJWS.payload(of: bytes)
            if case .string(let id)? = payload?["notificationUUID"] {
                hash.add(id.utf8)
            } else {
                hash.add(bytes)
            }
            hash.add([0])
        }
        return hash.value
    }
}
