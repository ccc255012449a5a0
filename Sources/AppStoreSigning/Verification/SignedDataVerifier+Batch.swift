public import AppStoreModel

extension SignedDataVerifier {
    /// Verifies many signed transactions, for example a page of a transaction history.
    ///
    /// - Parameter batch: The compact JWS of each.
    /// - Returns: The results, in the order of the batch.
    public func verifyTransactions(_ batch: [[UInt8]]) -> [Verification<JWSTransactionDecodedPayload>] {
        batch.map { verifyTransaction($0) }
    }

    /// Verifies many notifications, for example a page of the notification history or a queue.
    ///
    /// - Parameter batch: The compact JWS of each (`signedPayload`).
    /// - Returns: The results, in the order of the batch.
    public func verifyNotifications(_ batch: [[UInt8]]) -> [Verification<VerifiedNotification>] {
        batch.map { verifyNotification($0) }
    }
}
