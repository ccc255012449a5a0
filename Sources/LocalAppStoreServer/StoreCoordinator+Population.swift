import LocalAppStore

extension StoreCoordinator {
    /// The number of customers that are added between two checks for other requests.
    private static let populationPart = 1_000

    /// Adds a population in parts, so that the store answers reads between them.
    ///
    /// - Throws: Errors of the engine; `store_busy`, `store_stopping`. Parts that were added before the error stay.
    func populate(_ request: PopulationRequest) async throws -> PopulationReport {
        try await exclusively {
            var whole = PopulationReport(accounts: 0, subscriptions: 0, transactions: 0, endDate: store.now)
            var next = 0
            repeat {
                let part = next..<min(next + Self.populationPart, max(request.accounts, next + 1))
                let report = try add(request, part: part)
                whole.accounts += report.accounts
                whole.subscriptions += report.subscriptions
                whole.transactions += report.transactions
                whole.endDate = report.endDate
                next = part.upperBound
                await Task.yield()
                try checkRunning()
            } while next < request.accounts
            return whole
        }
    }
}
