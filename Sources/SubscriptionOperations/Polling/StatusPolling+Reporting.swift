public import Logging

extension StatusPolling {
    /// Asks about every subscription that is due. A failure is logged, because the work is repeated.
    public func settle(reportingTo logger: Logger) async {
        do {
            try await settle()
        } catch  where !Task.isCancelled {
            logger.log(
                level: error.needsOperator ? .error : .warning,
                "Apple was not asked for the status of due subscriptions and will be again: \(error.message)",
                metadata: ["code": "\(error.code)"]
            )
        } catch {
            // The server is stopping.
        }
    }
}
