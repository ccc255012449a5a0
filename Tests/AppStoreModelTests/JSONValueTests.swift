import AppStoreModel
import Testing

@Suite struct `A JSON value` {
    @Test func `a value is written as it was read`() throws {
        let text = #"{"z":1,"a":[1.50,1E400,-0,null,true],"s":"é\"\\\n\u0001/","o":{"y":"","x":{}}}"#
        #expect(String(decoding: try JSONParser.parse(Array(text.utf8)).serialize(), as: UTF8.self) == text)
    }

    @Test func `every scalar is kept when encoded and decoded`() throws {
        let scalars = (0...0x3000).compactMap(Unicode.Scalar.init).map { Character($0) } + ["\u{10FFFF}", "\u{FFFD}"]
        for scalar in scalars {
            let value = JSONValue.string(String(scalar))
            let read = try JSONParser.parse(value.serialize())
            #expect(Array(read.stringValue?.unicodeScalars ?? "".unicodeScalars) == Array(scalar.unicodeScalars))
        }
    }

    @Test func `a character is escaped at every position within eight bytes, and no other`() throws {
        for code in (0 as UInt8)..<128 {
            let character = String(Unicode.Scalar(code))
            let isEscaped = code < 0x20 || character == "\"" || character == "\\"
            for length in 0..<20 {
                for filling in ["x", "é", "!", "\u{1F600}"] {
                    let before = String(repeating: filling, count: length)
                    let written = JSONValue.string(before + character + filling).serialize()
                    #expect(try JSONParser.parse(written) == .string(before + character + filling))
                    let added = written.count - 2 - (before + character + filling).utf8.count
                    #expect((added > 0) == isEscaped, "character \(code) after \(length) of \(filling)")
                    #expect(!written.dropFirst().dropLast().contains { $0 < 0x20 })
                }
            }
        }
    }

    @Test func `an object equals another with its members in another order`() {
        let one: JSONObject = ["a": 1, "b": ["c": 2]]
        let other: JSONObject = ["b": ["c": 2], "a": 1]
        #expect(one == other)
        #expect(one.hashValue == other.hashValue)
        #expect(one != ["a": 1, "b": 2])
        #expect(one != ["a": 1])
    }

    @Test func `members of an object are added, replaced and removed`() {
        var object: JSONObject = ["a": 1, "b": 2]
        object["a"] = 3
        object["c"] = "new"
        object["b"] = nil
        #expect(object.keys == ["a", "c"])
        #expect(object["a"] == 3)
        #expect(object["b"] == nil)
        #expect(object.count == 2)
        #expect(!object.isEmpty)
    }

    @Test func `a value returns only values of its own kind`() {
        let values: [JSONValue] = [.null, true, 1, .decimal("1.9"), "s", [1], ["a": 1]]
        #expect(values.map(\.kind) == ["null", "boolean", "number", "number", "string", "array", "object"])
        #expect(values.map(\.isNull) == [true, false, false, false, false, false, false])
        #expect(values.map(\.boolValue) == [nil, true, nil, nil, nil, nil, nil])
        #expect(values.map(\.integerValue) == [nil, nil, 1, nil, nil, nil, nil])
        #expect(values.map(\.stringValue) == [nil, nil, nil, nil, "s", nil, nil])
        #expect(values.map(\.arrayValue) == [nil, nil, nil, nil, nil, [1], nil])
        #expect(values.map(\.objectValue) == [nil, nil, nil, nil, nil, nil, ["a": 1]])
        #expect(values.map(\.truncatedInteger) == [nil, nil, 1, 1, nil, nil, nil])
        #expect(JSONValue.decimal("1e400").truncatedInteger == nil)
        #expect(JSONValue.decimal("-1.9").truncatedInteger == -1)
    }
}
