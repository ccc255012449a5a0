import AppStoreSigning
import Foundation

extension PurchaseForm {
    /// What is done with a row.
    enum Outcome: Hashable, Sendable {
        case send(SubscriberSubmission)
        case skip
        case reject(line: Int, SubscriberProblem)
    }

    /// Decides about rows, on all cores if that is work.
    func check(_ rows: [SubscriberRow]) async -> [Outcome] {
        guard case .receipt = self, !rows.isEmpty else { return rows.map(check) }
        let size = max(1, rows.count / ProcessInfo.processInfo.activeProcessorCount)
        return await withTaskGroup(of: (start: Int, outcomes: [Outcome]).self) { tasks in
            for start in stride(from: 0, to: rows.count, by: size) {
                tasks.addTask { (start, rows[start..<min(start + size, rows.count)].map(check)) }
            }
            var parts: [(start: Int, outcomes: [Outcome])] = []
            for await part in tasks { parts.append(part) }
            return parts.sorted { $0.start < $1.start }.flatMap(\.outcomes)
        }
    }

    /// Decides about a row.
    func check(_ row: SubscriberRow) -> Outcome {
        switch row.content {
        case .skipped: return .skip
        case .bad(let problem): return .reject(line: row.line, problem)
        case .subscriber(let user, let purchase):
            guard case .receipt(let verifier) = self else {
                return .send(
                    SubscriberSubmission(
                        line: row.line,
                        user: user,
                        member: "transaction_id",
                        value: purchase,
                        transactionIDs: [purchase]
                    )
                )
            }
            return Self.check(receipt: purchase, of: user, line: row.line, verifier)
        }
    }

    private static func check(
        receipt: String,
        of user: String,
        line: Int,
        _ verifier: ReceiptVerifier
    ) -> Outcome {
        let text = ReceiptInput.receipt(in: receipt)
        func send(_ member: String, _ transactionIDs: Set<String>) -> Outcome {
            .send(
                SubscriberSubmission(
                    line: line,
                    user: user,
                    member: member,
                    value: text,
                    transactionIDs: transactionIDs
                )
            )
        }
        func reject(_ code: String, _ message: String, _ transactionID: String? = nil) -> Outcome {
            .reject(
                line: line,
                SubscriberProblem(code: code, message: message, user: user, transactionID: transactionID ?? "")
            )
        }
        switch verifier.verify(text) {
        case .verified(let verified):
            let purchases = verified.inAppPurchases
            guard !purchases.isEmpty else {
                return reject(
                    ReceiptTransactions.Absence.Code.noPurchases.rawValue,
                    "The customer had no purchases when the receipt was made, so there is nothing to ask Apple about. "
                        + "Leave the row out."
                )
            }
            return send("app_receipt", Set(purchases.map { $0.originalTransactionId ?? $0.transactionId }))
        case .refused(let failure):
            let found = ReceiptTransactions.extract(from: text)
            let first = found.transactions.first.map { $0.originalTransactionId ?? $0.transactionId }
            // Receipts of one purchase (iOS 6) cannot be verified offline; the server asks Apple about their id.
            if found.form == .transactionReceipt, let first { return send("transaction_receipt", [first]) }
            // Why there is no receipt says more than why it is not signed.
            if found.form != .appReceipt, let absence = found.absence {
                return reject(absence.code.rawValue, absence.message)
            }
            return reject(failure.code.rawValue, failure.message, first)
        }
    }
}
