import AppStoreModel
import PerennialCommandSupport

/// Command-line arguments of the form `name=value`.
enum NamedValue {
    /// The name and the value of an argument.
    ///
    /// - Throws: ``UsageError`` if there is no name, or no equals sign.
    static func split(_ word: String, option: String) throws(UsageError) -> (name: String, value: String) {
        guard let sign = word.firstIndex(of: "="), sign != word.startIndex else {
            throw UsageError("\(option) is name=value, not \(TerminalText.harmless(word)).")
        }
        return (String(word[..<sign]), String(word[word.index(after: sign)...]))
    }

    /// Whether values with this name are times: Apple's names for them end alike.
    static func isDate(_ name: String) -> Bool {
        name.hasSuffix("Date")
    }

    /// The time of a value, in milliseconds since 1970.
    ///
    /// - Throws: ``UsageError`` if it is not a time.
    static func milliseconds(_ value: String, name: String) throws(UsageError) -> Int64 {
        guard let time = VirtualTime(argument: value) else {
            throw UsageError(
                "\(name) is a time, ISO 8601 (2026-01-31T09:00:00Z) or milliseconds since 1970, "
                    + "not \(TerminalText.harmless(value))."
            )
        }
        return time.milliseconds
    }

    /// The object with the arguments as members.
    ///
    /// - Throws: ``UsageError`` for another form, invalid JSON, or a repeated name.
    static func object(_ words: [String]) throws(UsageError) -> JSONObject {
        var object = JSONObject()
        for word in words {
            let (name, value) = try member(word)
            guard object[name] == nil else { throw UsageError("--field \(name) is given twice.") }
            object[name] = value
        }
        return object
    }

    private static func member(_ word: String) throws(UsageError) -> (name: String, value: JSONValue) {
        let (name, value) = try split(word, option: "--field")
        guard name.hasSuffix(":") else {
            return (name, isDate(name) ? .integer(try milliseconds(value, name: name)) : .string(value))
        }
        let plainName = String(name.dropLast())
        guard !plainName.isEmpty, let json = try? JSONParser.parse(Array(value.utf8)) else {
            throw UsageError("--field \(TerminalText.harmless(word)): after := comes JSON, such as true or 3.")
        }
        return (plainName, json)
    }
}
