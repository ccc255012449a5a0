import AppStoreClient
import AppStoreModel
import Testing

@Suite struct `Answers of verifyReceipt` {
    private static func read(_ text: String) -> VerifyReceiptAnswer? { VerifyReceiptAnswer(Array(text.utf8)) }

    @Test func `name each transaction once, those of latest_receipt_info first`() throws {
        let answer = try #require(
            Self.read(
                #"""
                {"status": 0, "receipt": {"in_app": [{"transaction_id": "1", "original_transaction_id": "1"},
                {"transaction_id": "3", "original_transaction_id": "1"}]},
                "latest_receipt_info": [{"transaction_id": "3", "original_transaction_id": "1"}]}
                """#
            )
        )
        #expect(answer.status == 0)
        #expect(answer.transactions.map(\.id) == ["3", "1"])
        #expect(Set(answer.transactions.map(\.originalID)) == ["1"])
    }

    @Test(arguments: [
        #"{"status": 21006, "latest_receipt_info": {"transaction_id": "7"}}"#,
        #"{"status": 0, "receipt": {"in_app": [{"transaction_id": 7, "original_transaction_id": 7}]}}"#,
        #"{"status": 0, "latest_receipt_info": [{}, 5, {"transaction_id": ""}, {"transaction_id": "7"}]}"#,
    ])
    func `are read in each form that Apple sends`(text: String) throws {
        let answer = try #require(Self.read(text))
        #expect(answer.transactions.map(\.id) == ["7"])
        #expect(answer.transactions.map(\.originalID) == ["7"])
    }

    @Test(arguments: ["", "[]", "{}", "null", #"{"status": "0"}"#, "<html>", #"{"status":"#])
    func `without a status are none`(text: String) {
        #expect(Self.read(text) == nil)
    }

    @Test(arguments: ["is-retryable", "is_retryable"])
    func `say whether a retry helps`(member: String) throws {
        let answer = try #require(Self.read("{\"status\": 21100, \"\(member)\": true}"))
        #expect(answer.isRetryable && answer.transactions.isEmpty)
    }
}
