public import Logging

/// Work in the background that is done whenever it is due, and repeated after a failure.
public protocol SettledWork: Sendable {
    /// What a failure means, as a sentence without an end: the message of the error follows.
    static var failed: String { get }

    /// Does what is due.
    ///
    /// - Throws: ``OperationError``.
    func settle() async throws(OperationError)
}

extension SettledWork {
    /// Does what is due. A failure is logged, because the work is repeated.
    public func settle(reportingTo logger: Logger) async {
        do {
            try await settle()
        } catch  where !Task.isCancelled {
            var metadata: Logger.Metadata = ["code": "\(error.code)"]
            for (name, value) in error.logged { metadata[name] = "\(value)" }
            logger.log(
                level: error.needsOperator ? .error : .warning,
                "\(Self.failed), and the server tries again: \(error.message)",
                metadata: metadata
            )
        } catch {
            // The server is stopping.
        }
    }
}
