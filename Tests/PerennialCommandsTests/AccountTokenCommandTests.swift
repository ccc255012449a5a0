import AppStoreModel
import Testing

@testable import PerennialCommands

/// `perennial account-token set`: the server's answer in words.
@Suite struct `A set account token as text` {
    private static func lines(_ result: String) throws -> [String] {
        AccountTokenSetCommand.lines(of: try JSONParser.parseObject(Array(result.utf8)))
    }

    @Test func `says who has the purchase now`() throws {
        let moved = #"""
            {"purchase_id":"1","app_account_token":"b","previous_app_account_token":"a","confirmed":true,
             "app_user_id":"b","previous_app_user_id":"a","names_owner":true}
            """#
        #expect(
            try Self.lines(moved) == [
                "1: Apple has the token b, before a", "  It belongs to b now, before to a.",
            ]
        )
        let first = #"""
            {"purchase_id":"1","app_account_token":"b","previous_app_account_token":null,"confirmed":true,
             "app_user_id":"b","previous_app_user_id":null,"names_owner":true}
            """#
        #expect(
            try Self.lines(first) == ["1: Apple has the token b", "  It belongs to b now, before to no customer."]
        )
    }

    @Test func `says what outranks the token`() throws {
        let outranked = #"""
            {"purchase_id":"1","app_account_token":"b","previous_app_account_token":null,"confirmed":true,
             "app_user_id":"u_1","previous_app_user_id":"u_1","names_owner":false}
            """#
        #expect(
            try Self.lines(outranked) == [
                "1: Apple has the token b", "  It still belongs to u_1.",
                "  A submission with a secret key, a transfer, or ownership.account_token outranks the token.",
                "  To move the purchase: POST /v1/transfers.",
            ]
        )
    }

    @Test func `asks for a repetition while no signed transaction has it`() throws {
        let unconfirmed = #"{"purchase_id":"1","app_account_token":"b","confirmed":false}"#
        #expect(try Self.lines(unconfirmed).last == "  Repeat the command in a minute: that does no harm.")
    }
}
