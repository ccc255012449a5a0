import AppStoreModel
import Testing

/// Variants that Apple may use in the future, with the same meaning.
@Suite struct `Reading is lenient where Apple may change` {
    private static func transaction(_ change: (inout JSONObject) -> Void) throws -> JWSTransactionDecodedPayload {
        var object = try JSONParser.parseObject(Array(EveryField.transaction.utf8))
        change(&object)
        return try JWSTransactionDecodedPayload(json: object)
    }

    @Test func `a transaction without a quantity has a quantity of one`() throws {
        #expect(try Self.transaction { $0["quantity"] = nil }.quantity == 1)
        #expect(try Self.transaction { $0["quantity"] = .null }.quantity == 1)
        #expect(try Self.transaction { _ in }.quantity == 3)
    }

    @Test(arguments: [
        ("9990.0", Int64(9990)), ("9990.000", 9990), ("9.99e3", 9990), ("99900E-1", 9990), ("-9990.0", -9990),
        ("0.0", 0),
        ("-0", 0), ("9007199254740991.0", 9_007_199_254_740_991),
    ])
    func `a whole number is an integer, however it is written`(text: String, value: Int64) throws {
        #expect(try Self.transaction { $0["price"] = .decimal(text) }.price == value)
        guard let small = Int32(exactly: value) else { return }
        #expect(try Self.transaction { $0["quantity"] = .decimal(text) }.quantity == small)
    }

    @Test(arguments: ["9990.5", "0.1", "1e400", "9007199254740993.0", "9223372036854775808", "-1e19"])
    func `a number that is not an integer is refused with its field`(text: String) {
        #expect(throws: ModelError(.outOfRange, path: "price", message: "")) {
            _ = try Self.transaction { $0["price"] = .decimal(text) }
        }
    }

    @Test func `a number that exceeds its field is refused, also with a fraction of zero`() {
        #expect(throws: ModelError(.outOfRange, path: "quantity", message: "")) {
            _ = try Self.transaction { $0["quantity"] = .decimal("2147483648.0") }
        }
    }

    @Test func `a text is not a number`() {
        #expect(throws: ModelError(.wrongType, path: "price", message: "")) {
            _ = try Self.transaction { $0["price"] = "9990" }
        }
    }

    @Test func `an empty subtype means none`() throws {
        var object = try JSONParser.parseObject(Array(EveryField.notification.utf8))
        object["subtype"] = ""
        let notification = try ResponseBodyV2DecodedPayload(json: object)
        #expect(notification.subtype == nil)
        #expect(notification.json["subtype"] == nil)
        object["subtype"] = "SOMETHING_NEW"
        #expect(try ResponseBodyV2DecodedPayload(json: object).subtype?.rawValue == "SOMETHING_NEW")
    }
}
