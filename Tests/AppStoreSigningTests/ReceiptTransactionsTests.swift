import AppStoreModel
import AppStoreSigning
import AppStoreTestAuthorities
import Testing

@Suite struct `Transactions of receipts that are not verified` {
    private typealias Code = ReceiptTransactions.Absence.Code

    private static let transactions = [
        ReceiptTransaction(
            transactionId: "2000000000000001",
            originalTransactionId: "2000000000000001",
            productId: "pro.monthly"
        ),
        ReceiptTransaction(
            transactionId: "2000000000000002",
            originalTransactionId: "2000000000000001",
            productId: "pro.monthly"
        ),
    ]

    private func text() throws -> String {
        try ReceiptSamples.authority.mintBase64(ReceiptSamples.receipt)
    }

    private func absence(_ text: String) -> Code? {
        ReceiptTransactions.extract(from: text).absence?.code
    }

    @Test func `every transaction of an app receipt is found, with its app and environment`() throws {
        let found = ReceiptTransactions.extract(from: try text())

        #expect(found.transactions == Self.transactions)
        #expect(found.absence == nil)
        #expect(found.form == .appReceipt)
        #expect(found.bundleId == ReceiptSamples.bundleId)
        #expect(found.environment == .sandbox)
        let bytes = try ReceiptSamples.authority.mint(ReceiptSamples.receipt)
        #expect(ReceiptTransactions.extract(from: bytes) == found)
        #expect(ReceiptTransactions.extract(from: Array(try text().utf8)) == found)
    }

    @Test func `every variant of base64 that servers receive gives the same result`() throws {
        // Padded text with both characters that have variants, so that all variants are tested.
        let text = try text(where: { $0.contains("+") && $0.contains("/") && $0.hasSuffix("=") })
        let lines = Self.lines(of: text)
        let spellings = [
            "padding left out": text.filter { $0 != "=" },
            "URL alphabet": Self.url(text),
            "URL alphabet without padding": Self.url(text).filter { $0 != "=" },
            "line breaks": lines.joined(separator: "\n"),
            "line breaks of mail": lines.joined(separator: "\r\n"),
            "line breaks that a form made blanks": lines.joined(separator: " "),
            "blanks around": " \t\(text)\r\n\n",
            "plus signs that a form made blanks": Self.replacing(text, ["+": " "]),
            "percent-encoded": Self.replacing(text, ["+": "%2B", "/": "%2f", "=": "%3D"]),
            "slashes escaped for JSON": Self.replacing(text, ["/": "\\/"]),
            "line breaks escaped for JSON": lines.joined(separator: "\\r\\n"),
            "quotation marks": "\"\(text)\"",
            "PEM": "-----BEGIN PKCS7-----\n\(lines.joined(separator: "\n"))\n-----END PKCS7-----\n",
        ]
        for (name, spelling) in spellings {
            #expect(ReceiptTransactions.extract(from: spelling).transactions == Self.transactions, "\(name)")
            #expect(try ReceiptSamples.verifier.verify(spelling).failure == nil, "\(name)")
        }
    }

    @Test func `a receipt without purchases is reported as such`() throws {
        let receipt = AppReceipt(
            bundleId: ReceiptSamples.bundleId,
            receiptType: .production,
            creationDate: ReceiptSamples.creationDate
        )
        let found = ReceiptTransactions.extract(from: try ReceiptSamples.authority.mintBase64(receipt))

        #expect(found.transactions.isEmpty)
        #expect(found.absence?.code == .noPurchases)
        #expect(found.bundleId == ReceiptSamples.bundleId)
        #expect(found.environment == .production)
    }

    @Test func `no ids of an Xcode receipt are returned`() throws {
        var receipt = ReceiptSamples.receipt
        receipt.receiptType = .xcode

        #expect(absence(try ReceiptSamples.authority.mintBase64(receipt)) == .xcodeReceipt)
    }

    @Test func `a JWS, plain or encoded again, is distinguished from a receipt`() throws {
        let jws = try Samples().sign(try Samples().transaction())

        #expect(absence(jws) == .jws)
        #expect(absence(" \(jws)\n") == .jws)
        #expect(absence(ReceiptSamples.base64(Array(jws.utf8))) == .jws)
    }

    @Test func `a receipt encoded twice is distinguished from a damaged one`() throws {
        let twice = ReceiptSamples.base64(Array(try text().utf8))
        let lines = ReceiptSamples.base64(Array(Self.lines(of: try text()).joined(separator: "\n").utf8))

        #expect(absence(twice) == .doublyEncoded)
        #expect(absence(lines) == .doublyEncoded)
        #expect(absence(ReceiptSamples.base64(Array(try transactionReceipt().utf8))) == .doublyEncoded)
        let failure = try ReceiptSamples.verifier.verify(twice).failure
        #expect(failure?.message.contains("twice") == true)
    }

    @Test func `a receipt truncated anywhere is reported as truncated`() throws {
        let text = try text()
        for count in stride(from: 8, to: text.count - 4, by: 37) {
            #expect(absence(String(text.prefix(count))) == .truncated)
        }
    }

    @Test(arguments: [
        ("", Code.empty), (" \r\n\t", .empty), ("\"\"", .empty), ("not base64 at all!", .notBase64),
        ("%zz", .notBase64),
        ("a=b=", .notBase64), ("null\\", .notBase64), ("AAAA", .notAReceipt), ("aGVsbG8gd29ybGQh", .notAReceipt),
        ("{}", .notAReceipt), ("{\"receipt-data\":\"MIIT\"}", .notAReceipt), ("MAA=", .notAReceipt),
        ("🍏", .notBase64),
        ("-----BEGIN PKCS7-----\n-----END PKCS7-----", .empty),
    ])
    fileprivate func `the error for other data names its form`(text: String, code: ReceiptTransactions.Absence.Code) {
        let found = ReceiptTransactions.extract(from: text)
        #expect(found.absence?.code == code)
        #expect(found.transactions.isEmpty)
        #expect(found.form == nil)
    }

    @Test(arguments: ["{}", "{\"receiptData\":\"MIIT\"}", "eyJyZWNlaXB0LWRhdGEiOm51bGx9"])
    func `JSON is reported as JSON, not as an old transaction receipt`(text: String) {
        #expect(ReceiptTransactions.extract(from: text).absence?.message.contains("JSON") == true)
        let failure = #expect(throws: VerificationFailure.self) { try ReceiptVerifier().verify(text).get() }
        #expect(failure?.message.contains("JSON") == true)
    }

    @Test func `a text that exceeds the maximum size is not read`() {
        let text = String(repeating: "A", count: 4 * (ReceiptVerifier.defaultBytesMax + 1))

        #expect(absence(text) == .tooLarge)
        #expect(ReceiptTransactions.extract(from: Array(text.utf8)).absence?.code == .tooLarge)
    }

    @Test func `ids are found even if other attributes of the receipt are unreadable`() throws {
        let purchase = TestReceiptContent.set(
            TestReceiptContent.attributes(of: ReceiptSamples.purchase(1))
                + [TestReceiptContent.attribute(1708, [0xFF])]
        )
        let content = TestReceiptContent.set([
            TestReceiptContent.attribute(12, [0x16, 0x03, 0x6E, 0x6F, 0x77]),
            TestReceiptContent.attribute(17, purchase),
        ])
        let bytes = try ReceiptSamples.authority.mint(content: content)

        #expect(ReceiptTransactions.extract(from: bytes).transactions == [Self.transactions[0]])
        #expect(throws: VerificationFailure.self) { try UnverifiedReceipt.decode(bytes) }
    }
}

// MARK: - Purchases that cannot be read

extension `Transactions of receipts that are not verified` {
    /// The result if a purchase with other bytes is between two valid ones.
    private func found(between bytes: [UInt8]) throws -> ReceiptTransactions {
        let good = [1, 2].map { TestReceiptContent.set(TestReceiptContent.attributes(of: ReceiptSamples.purchase($0))) }
        let content = TestReceiptContent.set([good[0], bytes, good[1]].map { TestReceiptContent.attribute(17, $0) })
        return ReceiptTransactions.extract(from: try ReceiptSamples.authority.mint(content: content))
    }

    /// The attributes of a purchase with one replaced by other bytes.
    private func purchase(_ type: Int64, _ value: [UInt8]) -> [UInt8] {
        let texts: [(type: Int64, text: String)] = [(1702, "pro.monthly"), (1703, "3"), (1705, "1")]
        return TestReceiptContent.set(
            texts.map { attribute in
                let text = [0x0C, UInt8(attribute.text.utf8.count)] + Array(attribute.text.utf8)
                return TestReceiptContent.attribute(attribute.type, attribute.type == type ? value : text)
            }
        )
    }

    @Test(
        arguments: [[], [0xFF], [0x31], [0x31, 0x05, 0x30], [0x02, 0x01, 0x07], [0x31, 0x02, 0x30, 0x00]] as [[UInt8]]
    )
    func `an unreadable purchase does not hide others, and is counted`(bytes: [UInt8]) throws {
        let found = try found(between: bytes)

        #expect(found.transactions == Self.transactions)
        #expect(found.unreadablePurchases == 1)
        #expect(found.absence == nil)
    }

    @Test(
        arguments: [
            (1702, ReceiptTransaction(transactionId: "3", originalTransactionId: "1")),
            (1703, ReceiptTransaction(transactionId: "1", originalTransactionId: "1", productId: "pro.monthly")),
            (1705, ReceiptTransaction(transactionId: "3", productId: "pro.monthly")),
        ] as [(Int64, ReceiptTransaction)]
    )
    func `an unreadable product or id does not hide others`(type: Int64, expected: ReceiptTransaction) throws {
        for value in [[0xFF], [0x02, 0x01, 0x07], [0x0C, 0x02, 0xC3, 0x28]] as [[UInt8]] {
            let found = try found(between: purchase(type, value))

            #expect(found.transactions == [Self.transactions[0], expected, Self.transactions[1]])
            #expect(found.unreadablePurchases == 1)
        }
        let readable = try found(between: purchase(0, []))
        #expect(readable.transactions.count == 3)
        #expect(readable.unreadablePurchases == 0)
        let empty = try found(between: purchase(type, [0x0C, 0x00]))
        #expect(empty.unreadablePurchases == 0)
    }

    @Test func `purchases without readable ids are distinguished from none`() throws {
        let content = TestReceiptContent.set([TestReceiptContent.attribute(17, [0xFF])])
        let found = ReceiptTransactions.extract(from: try ReceiptSamples.authority.mint(content: content))

        #expect(found.transactions.isEmpty)
        #expect(found.absence?.code == .unreadablePurchases)
        #expect(found.unreadablePurchases == 1)
        #expect(found.form == .appReceipt)
    }
}

// MARK: - Old transaction receipts

extension `Transactions of receipts that are not verified` {
    private func transactionReceipt(_ environment: AppStoreEnvironment = .sandbox) throws -> String {
        try ReceiptSamples.authority.mintTransactionReceipt(
            ReceiptSamples.purchase(2),
            bundleId: ReceiptSamples.bundleId,
            environment: environment
        )
    }

    private func list(_ purchaseInfo: String) -> String {
        let info = ReceiptSamples.base64(Array(purchaseInfo.utf8))
        return "{ \"signature\" = \"AA==\"; \"purchase-info\" = \"\(info)\"; pod = 100; }"
    }

    @Test func `the id of an old transaction receipt is found`() throws {
        let found = ReceiptTransactions.extract(from: try transactionReceipt())

        #expect(found.transactions == [Self.transactions[1]])
        #expect(found.form == .transactionReceipt)
        #expect(found.bundleId == ReceiptSamples.bundleId)
        #expect(found.environment == .sandbox)
        #expect(ReceiptTransactions.extract(from: try transactionReceipt(.production)).environment == nil)
        let plain = try #require(ReceiptSamples.bytes(ofBase64: try transactionReceipt()))
        #expect(ReceiptTransactions.extract(from: plain) == found)
        #expect(try ReceiptSamples.verifier.verify(try transactionReceipt()).failure?.code == .receiptMalformed)
    }

    @Test func `an old transaction receipt without an id, or a truncated one, is reported as such`() throws {
        #expect(absence(list("{ \"product-id\" = \"p\"; }")) == .noTransactionId)
        let plain = try #require(ReceiptSamples.bytes(ofBase64: try transactionReceipt()))
        for count in stride(from: 1, to: plain.count, by: 41) {
            #expect(absence(ReceiptSamples.base64(Array(plain[..<count]))) == .truncated)
        }
    }

    @Test(arguments: [
        "{ \"transaction-id\" = \"1\" }", "{ \"transaction-id\" \"1\"; }", "{ = \"1\"; }", "[]", "{ a = 1; a = 2; }",
        "{ \"transaction-id\" = { }; }", "{ a = 1; } x",
    ])
    func `an invalid property list is not a receipt`(text: String) {
        #expect(absence(list(text)) == .notAReceipt)
        #expect(absence(text) == (text == "[]" ? .notBase64 : .notAReceipt))
    }

    @Test func `escaped characters and plain words are read`() {
        let found = ReceiptTransactions.extract(from: list(#"{ transaction-id = 17;"product-id"="a\"b\\c";}"#))

        #expect(found.transactions == [ReceiptTransaction(transactionId: "17", productId: #"a"b\c"#)])
    }
}

// MARK: - Spellings

extension `Transactions of receipts that are not verified` {
    /// A receipt's base64 with a property, found by adding opaque bytes.
    private func text(where isWanted: (String) -> Bool) throws -> String {
        var receipt = ReceiptSamples.receipt
        for count in 0..<20 {
            receipt.opaqueValue = Array(repeating: 0xFB, count: count + 8)
            let text = try ReceiptSamples.authority.mintBase64(receipt)
            if isWanted(text) { return text }
        }
        throw CancellationError()
    }

    private static func lines(of text: String) -> [String] {
        let characters = Array(text)
        return stride(from: 0, to: characters.count, by: 76).map { start in
            String(characters[start..<min(start + 76, characters.count)])
        }
    }

    private static func url(_ text: String) -> String {
        replacing(text, ["+": "-", "/": "_"])
    }

    private static func replacing(_ text: String, _ replacements: [Character: String]) -> String {
        text.reduce(into: "") { $0 += replacements[$1] ?? String($1) }
    }
}
