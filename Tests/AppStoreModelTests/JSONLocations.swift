import AppStoreModel

/// Every location in a JSON object, at any depth, and the object with another value there.
struct JSONLocations {
    /// A member or an element.
    struct Location {
        /// The location in the form of ``ModelError/path``.
        let path: String
        /// The value.
        let value: JSONValue
        /// The whole object with another value at this location; nil removes a member.
        let replacing: (JSONValue?) -> JSONObject
    }

    /// The locations, outer ones before inner ones.
    let locations: [Location]

    /// Lists the locations of an object.
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
