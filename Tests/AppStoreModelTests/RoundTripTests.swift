import AppStoreModel
import Testing

@Suite struct `Every payload` {
    @Test(arguments: EveryField.payloads.indices)
    func `a payload keeps every field of Apple's when decoded and encoded`(index: Int) throws {
        let (type, text) = EveryField.payloads[index]
        try expectRoundTrip(of: try JSONParser.parseObject(Array(text.utf8)), as: type)
    }

    @Test(arguments: EveryField.payloads.indices) func `a payload knows every field of Apple's`(index: Int) throws {
        let (type, text) = EveryField.payloads[index]
        try expectNothingUnknown(in: try JSONParser.parseObject(Array(text.utf8)), as: type)
    }

    @Test(arguments: EveryField.payloads.indices)
    func `a payload keeps unknown fields at every level`(index: Int) throws {
        let (type, text) = EveryField.payloads[index]
        let original = try JSONParser.parseObject(Array(text.utf8))
        try expectRoundTrip(of: withUnknownField(original), as: type)
    }

    @Test(arguments: EveryField.payloads.indices) func `a payload keeps values that Apple has not documented`(
        index: Int
    ) throws {
        let (type, text) = EveryField.payloads[index]
        var object = try JSONParser.parseObject(Array(text.utf8))
        for member in object.members {
            if case .string = member.value { object[member.key] = "SOMETHING_NEW" }
            if case .integer = member.value { object[member.key] = 99 }
        }
        try expectRoundTrip(of: object, as: type)
    }

    @Test(arguments: EveryField.payloads.indices)
    func `an error names the field that has the wrong type`(index: Int) throws {
        let (type, text) = EveryField.payloads[index]
        let original = try JSONParser.parseObject(Array(text.utf8))
        for key in original.keys {
            var object = original
            object[key] = object[key]?.boolValue == nil ? true : "true"
            let expected = ModelError(.wrongType, path: key, message: "")
            #expect(throws: expected) { try type.init(json: object) }
        }
    }

    @Test(arguments: EveryField.payloads.indices) func `null is read as absent`(index: Int) throws {
        let (type, text) = EveryField.payloads[index]
        let original = try JSONParser.parseObject(Array(text.utf8))
        for key in original.keys {
            var without = original
            without[key] = nil
            var null = original
            null[key] = .some(.null)
            do {
                let payload = try type.init(json: without)
                #expect(try type.init(json: null).json == payload.json)
                // The default quantity is 1.
                var filled = original
                filled[key] = 1
                #expect(payload.json == without || key == "quantity" && payload.json == filled)
            } catch {
                #expect(error == ModelError(.missingField, path: key, message: ""))
                #expect(throws: error) { try type.init(json: null) }
            }
        }
    }

    @Test(arguments: EveryField.payloads.indices) func `a truncated payload is refused`(index: Int) throws {
        let (type, text) = EveryField.payloads[index]
        let bytes = Array(text.utf8)
        for length in 0..<bytes.count {
            let error = #expect(throws: ModelError.self) { try type.init(jsonBytes: Array(bytes[..<length])) }
            #expect(error?.code == .malformedJSON)
            #expect(error?.cause?.code == .unexpectedEnd)
        }
    }

    private func expectRoundTrip<Payload: JSONRepresentable>(of object: JSONObject, as type: Payload.Type) throws {
        let payload = try Payload(json: object)
        #expect(payload.json == object)
        let again = try Payload(jsonBytes: payload.jsonBytes)
        #expect(again == payload)
        #expect(again.hashValue == payload.hashValue)
        #expect(again.jsonBytes == payload.jsonBytes)
    }

    /// Unknown fields are written last: a payload that knows all of its fields writes them before a new one.
    private func expectNothingUnknown<Payload: JSONRepresentable>(
        in object: JSONObject,
        as type: Payload.Type
    ) throws {
        var newFieldFirst: JSONObject = ["newField": 1]
        for member in object.members { newFieldFirst[member.key] = member.value }
        #expect(try Payload(json: newFieldFirst).json.keys.last == "newField")
        #expect(try Payload(json: newFieldFirst).json.keys.dropLast() == object.keys[...])
    }

    private func withUnknownField(_ object: JSONObject) -> JSONObject {
        var result: JSONObject = ["newField": ["deep": [1, "two", .null]]]
        for member in object.members { result[member.key] = withUnknownField(member.value) }
        return result
    }

    private func withUnknownField(_ value: JSONValue) -> JSONValue {
        switch value {
        case .object(let object): .object(withUnknownField(object))
        case .array(let elements): .array(elements.map(withUnknownField))
        default: value
        }
    }
}
