import AppStoreModel
import PerennialCommandSupport

/// Command-line arguments of the form `name=value`.
enum NamedValue {
    /// The name and the value of an argument.
    ///
    /// - Throws: ``UsageError`` if there is no name, or no equals sign.
    static func split(_ argument: String, option: String) throws(UsageError) -> (name: String, value: String) {
        guard let sign = argument.firstIndex(of: "="), sign != argument.startIndex else {
            throw UsageError("\(option) must be name=value, not \(TerminalText.escaped(argument)).")
        }
        return (String(argument[..<sign]), String(argument[argument.index(after: sign)...]))
    }

    /// Whether values with this name are times, by the suffix of Apple's names.
    static func isDate(_ name: String) -> Bool {
        name.hasSuffix("Date")
    }

    /// The time of a value, in milliseconds since 1970.
    ///
    /// - Throws: ``UsageError`` if it is not a time.
    static func milliseconds(_ value: String, name: String) throws(UsageError) -> Int64 {
        guard let time = VirtualTime(argument: value) else {
            throw UsageError(
                "\(name) must be a time, ISO 8601 (2026-01-31T09:00:00Z) or milliseconds since 1970, "
                    + "not \(TerminalText.escaped(value))."
            )
        }
        return time.milliseconds
    }

    /// The object with the arguments as members.
    ///
    /// - Throws: ``UsageError`` for another form, invalid JSON, or a repeated name.
    static func object(_ arguments: [String]) throws(UsageError) -> JSONObject {
        var object = JSONObject()
        for argument in arguments {
            let (name, value) = try member(argument)
            guard object[name] == nil else { throw UsageError("--field \(name) is given twice.") }
            object[name] = value
        }
        return object
    }

    private static func member(_ argument: String) throws(UsageError) -> (name: String, value: JSONValue) {
        let (name, value) = try split(argument, option: "--field")
        guard name.hasSuffix(":") else {
            return (name, isDate(name) ? .integer(try milliseconds(value, name: name)) : .string(value))
        }
        let plainName = String(name.dropLast())
        guard !plainName.isEmpty, let json = try? JSONParser.parse(Array(value.utf8)) else {
            throw UsageError("--field \(TerminalText.escaped(argument)): after := give JSON, such as true or 3.")
        }
        return (plainName, json)
    }
}
