import HTTPTypes
import LocalAppStore

extension StoreCoordinator {
    /// Makes all performance-test requests that are due at the current time, concurrently.
    func makePerformanceCalls() async throws {
        let calls = try duePerformanceCalls()
        guard !calls.isEmpty else { return }
        let caller = realtimeCaller
        try await withThrowingTaskGroup(of: (PerformanceTestCall, RealtimeAnswer).self) { group in
            for call in calls {
                group.addTask { (call, try await caller.answer(to: call.call)) }
            }
            for try await (call, answer) in group { record(answer, of: call) }
        }
    }

    /// Opens the cancellation page of a subscription for a customer, and asks the developer's server which message to
    /// show.
    ///
    /// The call does not block other commands.
    ///
    /// - Throws: What opening the page throws; `store_stopping`.
    func cancelPage(
        originalTransactionId: String,
        locale: String?
    ) async throws -> CancelPageVisit {
        let opening = try read { store in
            try store.openCancelPage(originalTransactionId: originalTransactionId, locale: locale ?? "en-US")
        }
        guard let call = opening.call else {
            return CancelPageVisit(opening: opening, answer: nil, page: try store.cancelPage(opening, answer: nil))
        }
        let answer: RealtimeAnswer
        do { answer = try await realtimeCaller.answer(to: call) } catch {
            throw StoreCallError(
                .serviceUnavailable,
                code: "store_stopping",
                message: "the store is stopping: the result of the request is unknown"
            )
        }
        return CancelPageVisit(opening: opening, answer: answer, page: try store.cancelPage(opening, answer: answer))
    }
}

/// A visit to the cancellation page of a subscription.
struct CancelPageVisit: Sendable {
    let opening: CancelPageOpening
    /// The answer of the developer's server; absent if it was not asked.
    let answer: RealtimeAnswer?
    let page: CancelPage
}
