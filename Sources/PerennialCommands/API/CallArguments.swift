import AppStoreClient
import AppStoreModel
import PerennialCommandSupport

/// One call with its values, parsed from command-line arguments.
struct CallArguments {
    /// The call.
    let call: AppStoreServerCall
    /// The path parameters.
    let path: [String: String]
    /// The query, in order.
    let query: [QueryItem]
    /// The body.
    let body: [UInt8]?

    /// Parses the arguments.
    ///
    /// - Parameters:
    ///   - call: The call.
    ///   - values: The path parameters, in order.
    ///   - query: Arguments of the form `name=value`.
    ///   - fields: Arguments of the form `name=value` or `name:=json`, members of the body.
    ///   - body: The file with the body.
    /// - Throws: ``UsageError`` if the arguments do not fit the call, ``InputError`` for the file.
    init(
        call: AppStoreServerCall,
        values: [String],
        query: [String],
        fields: [String],
        body: InputFile?
    ) throws {
        let names = call.pathParameters
        guard values.count == names.count, !values.contains("") else {
            let needed = names.isEmpty ? "no value" : names.joined(separator: ", ")
            throw UsageError("\(call.name) takes \(needed): \(CallList.usage(of: call))")
        }
        self.call = call
        self.path = Dictionary(uniqueKeysWithValues: zip(names, values))
        self.query = try query.map { try Self.item($0, of: call) }
        self.body = try Self.body(of: call, fields: fields, file: body)
    }

    /// The call with a name.
    ///
    /// - Throws: ``UsageError`` with the most similar names.
    static func call(named name: String) throws(UsageError) -> AppStoreServerCall {
        if let call = AppStoreServerCall.named(name) { return call }
        let similar = CallList.names(like: name)
        let hint = similar.isEmpty ? "" : " Did you mean \(similar.joined(separator: ", "))?"
        throw UsageError("There is no call \(TerminalText.escaped(name)).\(hint) perennial api --list shows all names.")
    }

    private static func item(_ argument: String, of call: AppStoreServerCall) throws(UsageError) -> QueryItem {
        let (name, value) = try NamedValue.split(argument, option: "--query")
        guard call.queryParameters.contains(name) else {
            let known = call.queryParameters.joined(separator: ", ")
            throw UsageError(
                "\(call.name) has no query parameter \(name)" + (known.isEmpty ? "." : "; it has \(known).")
            )
        }
        guard NamedValue.isDate(name) else { return QueryItem(name, value) }
        return QueryItem(name, "\(try NamedValue.milliseconds(value, name: name))")
    }

    private static func body(of call: AppStoreServerCall, fields: [String], file: InputFile?) throws -> [UInt8]? {
        switch call.body {
        case .none:
            guard fields.isEmpty, file == nil else { throw UsageError("\(call.name) has no body.") }
            return nil
        case .json:
            if !fields.isEmpty { return try NamedValue.object(fields).serialize() }
            return try jsonBody(of: call, file: file)
        case .png:
            guard fields.isEmpty else { throw UsageError("The body of \(call.name) is an image: give --body FILE.") }
            return try pngBody(of: call, file: file)
        }
    }

    private static func jsonBody(of call: AppStoreServerCall, file: InputFile?) throws -> [UInt8] {
        guard let file else {
            let type = call.types.request.map { " (\($0))" } ?? ""
            throw UsageError("\(call.name) needs a JSON body\(type): give --body FILE or --field name=value.")
        }
        let bytes = try file.read()
        do {
            _ = try JSONParser.parseObject(bytes)
        } catch {
            throw InputError(.malformed, "\(file.name) is not a JSON object: \(error)")
        }
        return bytes
    }

    private static let pngSignature: [UInt8] = [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]

    private static func pngBody(of call: AppStoreServerCall, file: InputFile?) throws -> [UInt8] {
        guard let file else { throw UsageError("\(call.name) needs a PNG image: give --body FILE.") }
        let bytes = try file.read()
        guard bytes.starts(with: pngSignature) else {
            throw InputError(.malformed, "\(file.name) is not a PNG image, the only kind that Apple accepts")
        }
        return bytes
    }
}

/// Invalid arguments of a call.
struct UsageError: Error, CustomStringConvertible {
    /// The problem, and the correct form.
    let message: String

    init(_ message: String) {
        self.message = message
    }

    var description: String { message }
}
