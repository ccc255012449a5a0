import AppStoreSigning

/// Verifies receipts, which may have megabytes, outside the request's task, two at a time.
struct ReceiptReading: Sendable {
    private struct Input: Sendable {
        let text: String
        let verifier: ReceiptVerifier
    }

    private let batcher: Batcher<Input, Verification<AppReceipt>>

    init() {
        batcher = Batcher(workersMax: 2, sizeMax: 1, waitingMax: 64) { batch in
            batch.map { $0.verifier.verify($0.text) }
        }
    }

    /// Verifies a receipt.
    ///
    /// - Throws: ``OperationError`` `overloaded` if too many wait.
    func verify(_ text: String, by verifier: ReceiptVerifier) async throws(OperationError) -> Verification<AppReceipt> {
        let outcome: Verification<AppReceipt>? = await withCheckedContinuation { continuation in
            do {
                try batcher.take(Input(text: text, verifier: verifier)) { continuation.resume(returning: $0) }
            } catch {
                continuation.resume(returning: nil)
            }
        }
        guard let outcome else { throw .tooManyReceipts }
        return outcome
    }
}

extension OperationError {
    fileprivate static let tooManyReceipts = OperationError(
        "overloaded",
        "Too many receipts wait for verification. Send it again.",
        kind: .unavailable
    )
}
