import Testing

@testable import PerennialCommands

/// Pasted input is accepted leniently for inspection, and strictly for verification.
@Suite struct `Signed text as input` {
    @Test(arguments: [
        "a.b.c", " a.b.c\n", "\r\n\ta.b.c \t\r\n\n", "\u{FEFF}a.b.c", #""a.b.c""#, #"{"signedPayload":"a.b.c"}"#,
        #" { "x": 1, "signedTransactionInfo" : "a.b.c" } "#, #"{"signedRenewalInfo":"a.b.c"}"#,
        #"{"signedAppTransactionInfo":"a.b.c"}"#,
    ])
    func `inspection ignores the surroundings of the text`(form: String) {
        #expect(text(SignedText.lenient(Array(form.utf8))) == "a.b.c")
    }

    @Test(arguments: ["a.b.c", "a.b.c\n", "a.b.c\r\n", #"{"signedPayload":"a.b.c"}"#])
    func `verification ignores one line break at the end`(form: String) {
        #expect(text(SignedText.exact(Array(form.utf8))) == "a.b.c")
    }

    @Test(arguments: [
        (" a.b.c", " a.b.c"), ("a.b.c ", "a.b.c "), ("a.b.c\n\n", "a.b.c\n"), ("a.b.c\r", "a.b.c\r"),
        ("a.b.c\r\r\n", "a.b.c\r"), ("\u{FEFF}a.b.c", "\u{FEFF}a.b.c"), ("", ""), ("\n", ""),
    ])
    func `verification keeps everything else`(form: String, kept: String) {
        #expect(SignedText.exact(Array(form.utf8)) == Array(kept.utf8))
    }

    @Test(arguments: [#"{"signedPayload":7}"#, #"{"other":"a.b.c"}"#, "[]", "{", "7"])
    func `JSON without a signed text is unchanged`(form: String) {
        #expect(text(SignedText.exact(Array(form.utf8))) == form)
        #expect(text(SignedText.lenient(Array(form.utf8))) == form)
        #expect((SignedText.absence(in: Array(form.utf8)) != nil) == (form != "{"))
    }

    @Test func `receipts are found in files, texts and bodies`() {
        #expect(ReceiptInput([0x30, 0x80, 0xFF]) == .bytes([0x30, 0x80, 0xFF]))
        #expect(ReceiptInput(Array("MIIx\n".utf8)) == .text("MIIx\n"))
        #expect(ReceiptInput(Array(#"{"receipt-data":"MIIx","password":"p"}"#.utf8)) == .text("MIIx"))
        #expect(ReceiptInput(Array(#"{"receipt-data":7}"#.utf8)) == .text(#"{"receipt-data":7}"#))
    }

    private func text(_ bytes: [UInt8]) -> String {
        String(decoding: bytes, as: UTF8.self)
    }
}
