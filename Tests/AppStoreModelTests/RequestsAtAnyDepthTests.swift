import AppStoreModel
import Testing

@Suite struct `Every object at any depth` {
    static let objects = EveryField.payloads + RetentionMessagingFields.all + AdvancedCommerceFields.all

    @Test(arguments: objects.indices) func `keeps every field of Apple's through reading and writing`(
        index: Int
    ) throws {
        let (type, text) = Self.objects[index]
        try expectRoundTrip(of: try JSONParser.parseObject(Array(text.utf8)), as: type)
    }

    /// Unknown fields are written last: an object that knows all of its fields writes them before a new one.
    @Test(arguments: objects.indices) func `knows every field of Apple's at any depth`(index: Int) throws {
        let (type, text) = Self.objects[index]
        let object = try JSONParser.parseObject(Array(text.utf8))
        #expect(try type.init(json: withNewFieldFirst(object)).json.keys == object.keys + ["newField"])
        for place in JSONPlaces(object).places {
            guard case .object(let inner) = place.value else { continue }
            let written = try type.init(json: place.replacing(.object(withNewFieldFirst(inner)))).json
            let again = try #require(JSONPlaces(written).places.first { $0.path == place.path })
            #expect(again.value.objectValue?.keys == inner.keys + ["newField"])
        }
    }

    @Test(arguments: objects.indices) func `keeps values that Apple has not documented at any depth`(
        index: Int
    ) throws {
        let (type, text) = Self.objects[index]
        for place in JSONPlaces(try JSONParser.parseObject(Array(text.utf8))).places {
            if case .string = place.value {
                try expectRoundTrip(of: place.replacing("SOMETHING_NEW"), as: type)
            }
        }
    }

    @Test(arguments: objects.indices) func `names the place of a wrong type at any depth`(index: Int) throws {
        let (type, text) = Self.objects[index]
        for place in JSONPlaces(try JSONParser.parseObject(Array(text.utf8))).places
        where !place.path.hasPrefix("failures.") {
            let object = place.replacing(place.value.boolValue == nil ? true : "true")
            #expect(throws: ModelError(.wrongType, path: place.path, message: "")) { try type.init(json: object) }
        }
    }

    @Test(arguments: objects.indices) func `names the place of what is missing at any depth`(index: Int) throws {
        let (type, text) = Self.objects[index]
        for place in JSONPlaces(try JSONParser.parseObject(Array(text.utf8))).places
        where !place.path.hasSuffix("]") {
            let object = place.replacing(nil)
            do {
                let json = try type.init(json: object).json
                // A transaction's quantity that is not there is 1.
                #expect(json == object || place.path == "quantity" && json == place.replacing(1))
            } catch {
                #expect(error == ModelError(.missingField, path: place.path, message: ""))
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
