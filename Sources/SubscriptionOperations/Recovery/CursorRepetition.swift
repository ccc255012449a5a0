import AppStoreClient
import SubscriptionCore
import SubscriptionStorage

/// Notices that a cursor of a window comes again, because such a history never ends. It holds one cursor, however long
/// the history is.
///
/// Every cursor is compared with an earlier one, which is replaced after 2, 4, 8, … further cursors. A cycle is noticed
/// within about three times as many pages as it has, or as come before it if those are more.
///
/// - Source: R. P. Brent, An Improved Monte Carlo Factorization Algorithm, BIT 20 (1980).
struct CursorRepetition: Hashable, Sendable {
    private let window: RecoveryWindowID
    private let restarts: Int
    private var earlier: PageCursor?
    /// The number of cursors since the earlier one.
    private var count = 0
    private var countMax = 1

    /// Begins a pass of a window.
    init(of window: RecoveryWindow) {
        self.window = window.id
        restarts = window.restarts
    }

    /// Whether a window is still in the same pass: the next pass has the same cursors again.
    func isPass(of window: RecoveryWindow) -> Bool { self.window == window.id && restarts == window.restarts }

    /// Notes the cursor of a next page.
    ///
    /// - Returns: Whether it came before.
    mutating func note(_ cursor: PageCursor) -> Bool {
        if cursor == earlier { return true }
        count += 1
        if count >= countMax {
            (earlier, count) = (cursor, 0)
            countMax *= 2
        }
        return false
    }
}
