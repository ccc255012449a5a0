import AppStoreModel
import SubscriptionCore
import Testing

@testable import PerennialCommands

/// A past refund request under another policy, from the server's answer.
@Suite struct `A replayed refund request` {
    private static func replayed(_ members: String) throws -> ReplayedRequest {
        let request = try JSONParser.parseObject(
            Array(
                #"""
                {"id":"r_1","product_id":"coins","reason":null,"requested_at":1770000000000,"outcome":null,\#(members)}
                """#.utf8
            )
        )
        return ReplayedRequest(request, under: ConsumptionPolicy(otherwise: .decline))
    }

    private static let facts =
        #""facts":{"product_type":"consumable","ownership":"PURCHASED","purchased_at":1,"customer_consented":true}"#

    @Test(arguments: [
        (#""state":"answered","answer":"no_preference",\#(facts)"#, "* ", "no_preference", "decline (no rule)"),
        (#""state":"answered","answer":"decline",\#(facts)"#, "  ", "decline", "decline (no rule)"),
        (
            #""state":"answered","answer":"no_preference","facts":null"#, "  ", "no_preference",
            "not known: its facts were removed"
        ),
        (#""state":"withheld","answer":"decline","facts":null"#, "  ", "nothing", "not known: its facts were removed"),
        (#""state":"waiting","answer":null,"facts":null"#, "  ", "nothing", "not known: the server had not decided"),
    ])
    func `has what was sent, and what would be sent if that is known`(
        members: String,
        mark: String,
        was: String,
        would: String
    ) throws {
        let line = try Self.replayed(members).line
        #expect(line == "\(mark)r_1  coins  no reason  was \(was)  would be \(would)  Apple: not known")
    }

    @Test func `is counted apart if its facts were removed, and if it was not decided`() throws {
        var tally = ReplayTally()
        tally.add(try Self.replayed(#""state":"answered","answer":"no_preference",\#(Self.facts)"#))
        tally.add(try Self.replayed(#""state":"answered","answer":"decline","facts":null"#))
        tally.add(try Self.replayed(#""state":"waiting","answer":null,"facts":null"#))
        #expect(
            tally.lines == [
                "3 requests, 1 answered differently (*), 1 not decided, 1 without facts",
                "  1 would be decline, Apple: not known",
            ]
        )
    }
}
