import AppStoreModel
import AppStoreSigning
import AppStoreTestAuthorities
import PerennialCommandSupport
import Testing

@testable import PerennialCommands

/// Output for people is formatted, annotated and safe; inner texts are found, with a limit.
@Suite struct `Output of commands` {
    @Test func `JSON is formatted with readable times`() throws {
        let value = try JSONParser.parse(
            Array(#"{"a":[1,{"b":null},[]],"purchaseDate":1769850000000,"exp":1769850000,"n":1.50,"o":{}}"#.utf8)
        )
        #expect(
            ReadableJSON.text(value) == """
                {
                  "a": [
                    1,
                    {
                      "b": null
                    },
                    []
                  ],
                  "purchaseDate": 1769850000000,  (2026-01-31T09:00:00Z)
                  "exp": 1769850000,  (2026-01-31T09:00:00Z)
                  "n": 1.50,
                  "o": {}
                }
                """
        )
    }

    @Test(arguments: [Int64.min, -1, 0, 999, 253_402_300_800_000, Int64.max])
    func `a number that is not a time is unchanged`(milliseconds: Int64) {
        #expect(UTCTime.text(milliseconds: milliseconds) == nil)
    }

    @Test func `terminal control characters are escaped`() {
        let text = TerminalText.escaped("a\u{1B}[2J\u{7F}\u{9B}\u{202E}\u{2066}é\n")
        #expect(text == "a\\u001b[2J\\u007f\\u009b\\u202e\\u2066é\n")
        #expect(ReadableJSON.text(.string("\u{9B}2J")) == #""\u009b2J""#)
    }

    @Test func `signed texts are found at any position and inside one another`() throws {
        let signer = try TestAuthority().signer
        let transaction = try signer.sign(payload: Array(#"{"transactionId":"1"}"#.utf8))
        let notification = try signer.sign(
            payload: Array(#"{"data":{"signedTransactionInfo":"\#(transaction)"}}"#.utf8)
        )
        let answer = try JSONParser.parse(
            Array(#"{"history":[{"x":"eyJ.no"},{"signedPayload":"\#(notification)"}]}"#.utf8)
        )
        let found = SignedInside.find(in: answer)
        #expect(
            found.map(\.path) == ["history[1].signedPayload", "history[1].signedPayload.data.signedTransactionInfo"]
        )
        #expect(found.last?.jws.payload == ["transactionId": "1"])
        let shown = ReadableJSON.text(answer, hidesSigned: true)
        #expect(shown.contains("(signed, see below)") && !shown.contains(notification) && shown.contains("eyJ.no"))
    }

    @Test func `nested texts are limited to three levels, and in number`() throws {
        let signer = try TestAuthority().signer
        var text = try signer.sign(payload: Array("{}".utf8))
        for _ in 1..<6 { text = try signer.sign(payload: Array(#"{"a":"\#(text)"}"#.utf8)) }
        #expect(SignedInside.find(in: ["a": .string(text)]).map(\.path) == ["a", "a.a", "a.a.a"])
        let many = JSONValue.array(Array(repeating: .string("eyJhIjoxfQ.e30.AA"), count: 1000))
        #expect(SignedInside.find(in: many).count == 256)
    }

    @Test func `a decoded text has header and payload, and inner texts only on request`() throws {
        let signer = try TestAuthority().signer
        let inner = try signer.sign(payload: Array("{}".utf8))
        let text = try signer.sign(payload: Array(#"{"a":"\#(inner)"}"#.utf8))
        let decoded = try DecodedText(Array(text.utf8))
        #expect(decoded.json(nested: false).keys == ["header", "payload"])
        #expect(decoded.json(nested: false)["payload"] == ["a": .string(inner)])
        #expect(decoded.json(nested: true)["nested"]?.objectValue?.keys == ["a"])
        #expect(decoded.text.contains("valid from"))
    }

    @Test func `an API response is unchanged for programs and decoded for people`() throws {
        let inner = try TestAuthority().signer.sign(payload: Array(#"{"productId":"pro"}"#.utf8))
        let body = Array(#"{ "signedTransactionInfo": "\#(inner)" }"#.utf8)
        #expect(
            AnswerPrinter(json: true, compact: false).text(of: body, status: 200)
                == String(decoding: body, as: UTF8.self)
        )
        let line = AnswerPrinter(json: true, compact: true).text(of: Array("{\n \"a\": 1.0}".utf8), status: 200)
        #expect(line == #"{"a":1.0}"#)
        let shown = AnswerPrinter(json: false, compact: false).text(of: body, status: 200)
        #expect(shown.contains(#""productId": "pro""#) && !shown.contains(inner))
        #expect(AnswerPrinter(json: true, compact: false).text(of: [], status: 202) == "{}")
        #expect(AnswerPrinter(json: false, compact: false).text(of: [], status: 202).contains("202"))
    }
}
