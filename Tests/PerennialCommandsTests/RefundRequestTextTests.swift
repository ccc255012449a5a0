import ArgumentParser
import AppStoreModel
import Foundation
import Testing

@testable import PerennialCommands

/// A refund request on one line, from the server's answer.
@Suite struct `A refund request as text` {
    @Test(arguments: [
        (
            #""state":"waiting","answer":"decline","rule":null,"error":{"code":"no_consent","message":"Why."}"#,
            "waiting (decline, by no rule): no_consent, until 2026-02-02 02:40 GMT"
        ),
        (#""state":"waiting","answer":null,"error":null"#, "waiting, until 2026-02-02 02:40 GMT"),
        (
            #""state":"withheld","answer":"decline","error":{"code":"no_consent","message":"Why."}"#,
            "withheld: no_consent"
        ),
        (
            #""state":"answered","answer":"decline","rule":2,"error":null,"outcome":"declined""#,
            "decline, by rule 2; Apple: declined"
        ),
    ])
    func `says why nothing was sent, and until when it may be`(members: String, text: String) throws {
        let request = try JSONParser.parseObject(
            Array(
                #"""
                {"id":"r_1","product_id":"coins","reason":null,"requested_at":1770000000000,
                 "answer_due_by":1770000000000,\#(members)}
                """#.utf8
            )
        )
        let line = RefundRequestText(request).line(LocalTimes(zone: .gmt)).replacing("UTC", with: "GMT")
        #expect(line == "r_1  2026-02-02 02:40 GMT  coins  no reason  \(text)")
    }

    @Test(arguments: [
        ([], "/v1/refund_requests"),
        (["--purchase", "2000 1"], "/v1/refund_requests?purchase_id=2000%201"),
        (["--customer", "ü", "--purchase", "2"], "/v1/refund_requests?purchase_id=2&app_user_id=%C3%BC"),
    ])
    func `is listed by purchase and customer`(options: [String], path: String) throws {
        #expect(try ConsumptionListCommand.parse(options).path == path)
    }

    @Test(arguments: ["--purchase", "--customer"])
    func `is not listed by an empty text`(option: String) {
        #expect(throws: (any Error).self) { _ = try ConsumptionListCommand.parse([option, ""]) }
    }
}
