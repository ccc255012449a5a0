import AppStoreModel
import AppStoreSigning
import PerennialCommandSupport

/// The verification result of a receipt, and its content in both cases.
struct ReceiptReport {
    /// Why it is refused; `nil` if it is verified.
    let failure: VerificationFailure?
    /// Its content; for a refused receipt as far as it is readable, and not trustworthy.
    let found: ReceiptTransactions
    /// The complete content of a readable receipt.
    let receipt: AppReceipt?

    /// Verifies a receipt, and decodes it regardless of the result.
    init(_ input: ReceiptInput, verifier: ReceiptVerifier) {
        let verification: Verification<AppReceipt>
        switch input {
        case .bytes(let bytes):
            verification = verifier.verify(bytes)
            found = ReceiptTransactions.extract(from: bytes)
            receipt = verification.payload ?? (try? UnverifiedReceipt.decode(bytes))?.receipt
        case .text(let text):
            verification = verifier.verify(text)
            found = ReceiptTransactions.extract(from: text)
            receipt = verification.payload ?? (try? UnverifiedReceipt.decode(text))?.receipt
        }
        failure = verification.failure
    }

    /// One object for programs.
    var json: JSONObject {
        var object: JSONObject = ["verified": .bool(failure == nil)]
        if let failure {
            object["reason"] = .string(failure.code.rawValue)
            object["message"] = .string(failure.message)
        }
        object["bundleId"] = Self.text(found.bundleId)
        object["environment"] = Self.text(found.environment?.rawValue)
        object["transactionIds"] = .array(
            found.transactions.map { transaction in
                [
                    "transactionId": .string(transaction.transactionId),
                    "originalTransactionId": Self.text(transaction.originalTransactionId),
                    "productId": Self.text(transaction.productId),
                ]
            }
        )
        if let absence = found.absence {
            object["absence"] = ["reason": .string(absence.code.rawValue), "message": .string(absence.message)]
        }
        if found.unreadablePurchases > 0 {
            object["unreadablePurchases"] = .integer(Int64(found.unreadablePurchases))
        }
        return object
    }

    /// For people.
    var text: String {
        var lines = [failure.map { "refused: \($0)" } ?? "verified: receipt"]
        if failure != nil, found.form != nil {
            lines.append("Its content, which is not trustworthy:")
        }
        lines += facts.map { "  \($0.name): \($0.value)" }
        lines += found.transactions.map { transaction in
            let original = transaction.originalTransactionId.map { ", first \($0)" } ?? ""
            let product = transaction.productId.map { " of \($0)" } ?? ""
            return "  transaction \(transaction.transactionId)\(product)\(original)"
        }
        if found.unreadablePurchases > 0 {
            lines.append("purchases that could not be read in full: \(found.unreadablePurchases)")
        }
        if let absence = found.absence { lines.append("no transaction id: \(absence)") }
        return lines.map(TerminalText.escaped).joined(separator: "\n")
    }

    private var facts: [(name: String, value: String)] {
        let facts: [(name: String, value: String?)] = [
            ("app", found.bundleId),
            ("environment", found.environment?.rawValue),
            ("app version", receipt?.applicationVersion),
            ("created", receipt?.creationDate.flatMap(UTCTime.text(milliseconds:))),
            ("purchases", receipt.map { "\($0.inAppPurchases.count)" }),
        ]
        return facts.compactMap { fact in fact.value.map { (fact.name, $0) } }
    }

    private static func text(_ text: String?) -> JSONValue {
        text.map { .string($0) } ?? .null
    }
}
