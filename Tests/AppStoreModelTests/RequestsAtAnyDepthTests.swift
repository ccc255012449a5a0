import AppStoreModel
import Testing

@Suite struct `Every object at any depth` {
    static let objects = EveryField.payloads + RetentionMessagingFields.all + AdvancedCommerceFields.all

    @Test(arguments: objects.indices) func `an object keeps every field of Apple's when decoded and encoded`(
        index: Int
    ) throws {
        let (type, text) = Self.objects[index]
        try expectRoundTrip(of: try JSONParser.parseObject(Array(text.utf8)), as: type)
    }

    /// Unknown fields are written last: an object that knows all of its fields writes them before a new one.
    @Test(arguments: objects.indices) func `an object knows every field of Apple's at any depth`(index: Int) throws {
        let (type, text) = Self.objects[index]
        let object = try JSONParser.parseObject(Array(text.utf8))
        #expect(try type.init(json: withNewFieldFirst(object)).json.keys == object.keys + ["newField"])
        for location in JSONLocations(object).locations {
            guard case .object(let inner) = location.value else { continue }
            let written = try type.init(json: location.replacing(.object(withNewFieldFirst(inner)))).json
            let again = try #require(JSONLocations(written).locations.first { $0.path == location.path })
            #expect(again.value.objectValue?.keys == inner.keys + ["newField"])
        }
    }

    @Test(arguments: objects.indices) func `an object keeps values that Apple has not documented at any depth`(
        index: Int
    ) throws {
        let (type, text) = Self.objects[index]
        for location in JSONLocations(try JSONParser.parseObject(Array(text.utf8))).locations {
            if case .string = location.value {
                try expectRoundTrip(of: location.replacing("SOMETHING_NEW"), as: type)
            }
        }
    }

    @Test(arguments: objects.indices)
    func `an object reports the path of a wrong type at any depth`(index: Int) throws {
        let (type, text) = Self.objects[index]
        for location in JSONLocations(try JSONParser.parseObject(Array(text.utf8))).locations
        where !location.path.hasPrefix("failures.") {
            let object = location.replacing(location.value.boolValue == nil ? true : "true")
            #expect(throws: ModelError(.wrongType, path: location.path, message: "")) { try type.init(json: object) }
        }
    }

    @Test(arguments: objects.indices)
    func `an object reports the path of a missing field at any depth`(index: Int) throws {
        let (type, text) = Self.objects[index]
        for location in JSONLocations(try JSONParser.parseObject(Array(text.utf8))).locations
        where !location.path.hasSuffix("]") {
            let object = location.replacing(nil)
            do {
                let json = try type.init(json: object).json
                // The default quantity of a transaction is 1.
                #expect(json == object || location.path == "quantity" && json == location.replacing(1))
            } catch {
                #expect(error == ModelError(.missingField, path: location.path, message: ""))
            }
        }
    }

    private func withNewFieldFirst(_ object: JSONObject) -> JSONObject {
        var result: JSONObject = ["newField": "new"]
        for member in object.members { result[member.key] = member.value }
        return result
    }

    private func expectRoundTrip<Value: JSONRepresentable>(of object: JSONObject, as type: Value.Type) throws {
        let value = try Value(json: object)
        #expect(value.json == object)
        let again = try Value(jsonBytes: value.jsonBytes)
        #expect(again == value)
        #expect(again.jsonBytes == value.jsonBytes)
    }
}
