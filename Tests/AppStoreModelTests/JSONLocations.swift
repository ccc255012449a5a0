import AppStoreModel

/// Every place in a JSON object, at any depth, and the object with something else in that place.
struct JSONLocations {
    /// A member or an element.
    struct Location {
        /// The place as ``ModelError/path`` names it.
        let path: String
        /// What is there.
        let value: JSONValue
        /// The whole object with another value in this place; nil takes a member away.
        let replacing: (JSONValue?) -> JSONObject
    }

    /// The places, outer ones before inner ones.
    let locations: [Location]

    /// Lists the places of an object.
    init(_ object: JSONObject) {
        locations = Self.list(object, at: "") { $0 }
    }

    private static func list(
        _ object: JSONObject,
        at path: String,
        rebuild: @escaping (JSONObject) -> JSONObject
    ) -> [Location] {
        object.members.flatMap { member in
            let path = path.isEmpty ? member.key : "\(path).\(member.key)"
            return list(member.value, at: path) { value in
                var changed = object
                changed[member.key] = value
                return rebuild(changed)
            }
        }
    }

    private static func list(
        _ value: JSONValue,
        at path: String,
        rebuild: @escaping (JSONValue?) -> JSONObject
    ) -> [Location] {
        let location = Location(path: path, value: value, replacing: rebuild)
        switch value {
        case .object(let object):
            return [location] + list(object, at: path) { rebuild(.object($0)) }
        case .array(let elements):
            return [location]
                + elements.indices.flatMap { index in
                    list(elements[index], at: "\(path)[\(index)]") { value in
                        var changed = elements
                        if let value { changed[index] = value } else { changed.remove(at: index) }
                        return rebuild(.array(changed))
                    }
                }
        default:
            return [location]
        }
    }
}
