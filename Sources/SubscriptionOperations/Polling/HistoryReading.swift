import AppStoreClient
import AppStoreModel
import Synchronization

/// The transactions and refunds of a store account, read page by page. After an interruption it continues where it was.
final class HistoryReading: Sendable {
    /// The maximum number of pages of the transactions, and of the refunds: 2,000 of each.
    private static let pagesMax = 100

    private enum Part: Sendable {
        case transactions(AppStorePages<HistoryResponse>.AsyncIterator)
        case refunds(AppStorePages<RefundHistoryResponse>.AsyncIterator)
        case finished
    }

    private struct State: Sendable {
        let api: AppStoreServerAPIClient.App
        let transactionID: String
        var part: Part
        var found = SignedPurchases()
        /// The number of pages of this part.
        var pages = 0
        /// Whether Apple no longer accepts the position, so that the history has to begin again.
        var isBroken = false

        var isFinished: Bool {
            if case .finished = part { true } else { false }
        }

        /// Reads one page.
        mutating func readPage() async throws(OperationError) {
            guard pages < HistoryReading.pagesMax else { throw .historyTooLong }
            do throws(AppStoreClientError) {
                switch part {
                case .transactions(var reader):
                    let page = try await reader.next()
                    found.add(transactions: page?.elements ?? [])
                    pages += 1
                    part = .transactions(reader)
                    if page?.hasMore != true { beginRefunds() }
                case .refunds(var reader):
                    let page = try await reader.next()
                    found.add(transactions: page?.elements ?? [])
                    pages += 1
                    part = page?.hasMore == true ? .refunds(reader) : .finished
                case .finished: return
                }
            } catch {
                isBroken = [.cursorExpired, .cursorInvalid, .pagingStuck].contains(error.code)
                throw OperationError(error, parameter: "app_user_id")
            }
        }

        private mutating func beginRefunds() {
            found.noteWholeHistory()
            part = .refunds(api.refundHistory(anyTransactionId: transactionID).makeAsyncIterator())
            pages = 0
        }
    }

    private let state: Mutex<State>

    /// - Parameter transactionID: Any transaction of the store account.
    init(_ api: AppStoreServerAPIClient.App, transactionID: String) {
        let pages = api.transactionHistory(anyTransactionId: transactionID)
        let state = State(api: api, transactionID: transactionID, part: .transactions(pages.makeAsyncIterator()))
        self.state = Mutex(state)
    }

    /// What was read until now.
    var found: SignedPurchases { state.withLock { $0.found } }

    /// Whether Apple no longer accepts the position, so that the history has to begin again.
    var isBroken: Bool { state.withLock { $0.isBroken } }

    /// Reads pages until the end, at least one.
    ///
    /// A page that fails is read again by the next call. One task reads at a time.
    ///
    /// - Parameter goesOn: Called before each further page: whether there is time for it.
    /// - Returns: Whether everything was read.
    /// - Throws: ``OperationError`` as ``PurchaseQueries/history()``.
    func read(while goesOn: () async -> Bool) async throws(OperationError) -> Bool {
        while true {
            var next = state.withLock { $0 }
            if next.isFinished { return true }
            do throws(OperationError) {
                try await next.readPage()
            } catch {
                let isBroken = next.isBroken
                state.withLock { $0.isBroken = isBroken }
                throw error
            }
            let isFinished = next.isFinished
            state.withLock { [next] in $0 = next }
            if isFinished { return true }
            guard await goesOn() else { return false }
        }
    }
}
