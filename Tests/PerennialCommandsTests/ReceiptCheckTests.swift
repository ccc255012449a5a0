import AppStoreModel
import AppStoreSigning
import AppStoreTestAuthorities
import PerennialPrimitives
import Testing

@testable import PerennialCommands

/// Rows with receipts: what is sent, and why the others are rejected.
@Suite struct `A row with a receipt` {
    private let authority: TestReceiptAuthority
    private let form: PurchaseForm

    init() throws {
        authority = try TestReceiptAuthority()
        form = .receipt(ReceiptVerifier(roots: [authority.receiptRoot]))
    }

    @Test func `is sent with the receipt as it is, and known by the first transactions of its purchases`() throws {
        let text = try receipt([("3", "1"), ("2", "1"), ("9", nil)])
        for row in [text, #"{"receipt-data":"\#(text)","password":"secret"}"#] {
            let expected = SubscriberSubmission(
                line: 4,
                user: "u_1",
                member: "app_receipt",
                value: text,
                transactionIDs: ["1", "9"]
            )
            #expect(outcome(row) == .send(expected))
        }
    }

    @Test func `of one purchase is sent without a verification`() throws {
        let purchase = InAppPurchaseReceipt(productId: "p", transactionId: "5", originalTransactionId: "4")
        let text = try authority.mintTransactionReceipt(purchase, bundleId: "com.example.perennial")
        guard case .send(let submission) = outcome(text) else {
            Issue.record("not sent: \(outcome(text))")
            return
        }
        #expect(submission.member == "transaction_receipt" && submission.value == text)
        #expect(submission.transactionIDs == ["4"])
    }

    @Test func `is rejected with the verifier's code`() throws {
        let text = try receipt([("3", "1")])
        var changed = try #require(Base64.decode(Array(text.utf8), .standard))
        changed[changed.count - 1] ^= 1
        let other = PurchaseForm.receipt(ReceiptVerifier(roots: [try TestReceiptAuthority().receiptRoot]))
        let otherApp = PurchaseForm.receipt(
            ReceiptVerifier(
                roots: [authority.receiptRoot],
                expecting: ReceiptExpectation(bundleId: "com.example.other")
            )
        )
        let changedText = String(decoding: Base64.encode(changed, .standard), as: UTF8.self)
        #expect(code(changedText) == VerificationFailure.Code.signatureInvalid.rawValue)
        #expect(code(text, other) == VerificationFailure.Code.chainNotTrusted.rawValue)
        #expect(code(text, otherApp) == VerificationFailure.Code.bundleIdMismatch.rawValue)
        #expect(code(try receipt([])) == "no_purchases")
        #expect(code(String(text.dropLast(text.utf8.count / 2))) == "truncated")
        #expect(code("not a receipt!") == "not_base64")
        #expect(code("eyJhbGciOiJFUzI1NiJ9.eyJhIjoxfQ.c2lnbmF0dXJl") == "jws")
        #expect(code(String(decoding: Base64.encode(Array(text.utf8), .standard), as: UTF8.self)) == "doubly_encoded")
        // The report names a transaction, so that support can find the customer.
        guard case .reject(4, let problem) = outcome(changedText) else { return }
        #expect(problem.transactionID == "1" && problem.user == "u_1" && !problem.message.isEmpty)
    }

    /// The outcomes are in the order of the rows, for every number of rows and cores.
    @Test func `has the same outcome alone and among others`() async throws {
        let good = try receipt([("3", "1")])
        for count in [0, 1, 2, 3, 7, 64, 65] {
            let rows = (0..<count).map { line in
                SubscriberRow(
                    line: line,
                    content: line.isMultiple(of: 3)
                        ? .skipped : .subscriber(user: "u_\(line)", purchase: line.isMultiple(of: 2) ? good : "x")
                )
            }
            #expect(await form.check(rows) == rows.map(form.check))
        }
    }

    private func receipt(_ purchases: [(id: String, original: String?)]) throws -> String {
        var receipt = AppReceipt(
            bundleId: "com.example.perennial",
            receiptType: .productionSandbox,
            creationDate: 1_767_258_000_000
        )
        receipt.inAppPurchases = purchases.map {
            InAppPurchaseReceipt(productId: "p", transactionId: $0.id, originalTransactionId: $0.original)
        }
        return try authority.mintBase64(receipt)
    }

    private func outcome(_ text: String, _ form: PurchaseForm? = nil) -> PurchaseForm.Outcome {
        (form ?? self.form).check(SubscriberRow(line: 4, content: .subscriber(user: "u_1", purchase: text)))
    }

    private func code(_ text: String, _ form: PurchaseForm? = nil) -> String? {
        guard case .reject(_, let problem) = outcome(text, form) else { return nil }
        return problem.code
    }
}

/// Which rows are sent one after another.
@Suite struct `Rows that share purchases` {
    /// Any two rows that are connected through shared transactions are in one list, in the order of the file, and no
    /// others are; compared with a search for the connected rows.
    @Test(arguments: 0..<200 as Range<UInt64>)
    func `are in one list in their order, and other rows are not`(seed: UInt64) {
        var random = SplitMix64(seed: seed)
        let rows = (0..<Int.random(in: 0...24, using: &random)).map { line in
            let ids = (0..<Int.random(in: 1...3, using: &random)).map { _ in
                "\(Int.random(in: 0..<30, using: &random))"
            }
            return SubscriberSubmission(
                line: line,
                user: "u_\(line)",
                member: "app_receipt",
                value: "",
                transactionIDs: Set(ids)
            )
        }
        let lists = SubscriberSubmission.lists(rows)
        #expect(lists.flatMap { $0 }.map(\.line).sorted() == rows.map(\.line))
        #expect(Set(lists.map { $0.map(\.line) }) == Set(rows.map { connected(to: $0, in: rows) }))
    }

    private func connected(to row: SubscriberSubmission, in rows: [SubscriberSubmission]) -> [Int] {
        var known = row.transactionIDs
        while true {
            let more = rows.filter { !$0.transactionIDs.isDisjoint(with: known) }
            let all = more.reduce(known) { $0.union($1.transactionIDs) }
            guard all != known else { return more.map(\.line) }
            known = all
        }
    }
}
