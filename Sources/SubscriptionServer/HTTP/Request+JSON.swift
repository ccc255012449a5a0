import AppStoreModel
import Foundation
import Hummingbird
import NIOCore
import SubscriptionCore

extension Request {
    /// Reads the whole body up to a limit.
    ///
    /// - Throws: `body_too_large`; `overloaded`; or `body_incomplete` if the connection ended before the body.
    func bytes(limit: Int) async throws -> [UInt8] {
        do {
            return Array(buffer: try await body.collect(upTo: limit))
        } catch is NIOTooManyBytesError {
            throw APIError.bodyTooLarge(limit: limit)
        } catch let error as HTTPError {
            throw error
        } catch let error as APIError {
            throw error
        } catch {
            throw APIError(
                .badRequest,
                .invalidRequest,
                "body_incomplete",
                "The connection ended before the body did. Nothing was changed; send it again.",
                isRetryable: true
            )
        }
    }

    /// Reads a JSON object.
    ///
    /// - Throws: `malformed_json` with the position of the error, or what ``bytes(limit:)`` throws.
    func jsonObject(limit: Int) async throws -> JSONObject {
        try await Self.jsonObject(in: try await bytes(limit: limit))
    }

    /// Reads a JSON object; an empty one if there is no body.
    ///
    /// - Throws: What ``jsonObject(limit:)`` throws.
    func optionalJSONObject(limit: Int) async throws -> JSONObject {
        let bytes = try await bytes(limit: limit)
        return bytes.isEmpty ? JSONObject() : try await Self.jsonObject(in: bytes)
    }

    private static func jsonObject(in bytes: [UInt8]) async throws -> JSONObject {
        do {
            return try await LargeWork.run(bytes: bytes.count) { try JSONParser.parseObject(bytes) }
        } catch {
            throw APIError(.badRequest, .invalidRequest, "malformed_json", "The body is not a JSON object: \(error)")
        }
    }
}

extension String {
    /// Checks that a text is neither empty nor too long and contains no zero character, which databases cannot store.
    ///
    /// - Throws: `parameter_invalid` with the parameter.
    func checkedParameter(_ name: String, bytesMax: Int = 256) throws(APIError) -> String {
        guard (1...bytesMax).contains(utf8.count), !holdsZero else {
            throw .invalid(name, "\(name) must be a string of 1 to \(bytesMax) bytes without NUL characters.")
        }
        return self
    }

    /// An order number without the spaces around it, which are copied with it from a mail.
    ///
    /// - Throws: `parameter_invalid`, because Apple's answer to anything else does not say what is wrong.
    func orderNumber() throws(APIError) -> String {
        let text = drop(while: \.isWhitespace)
        let number = text.prefix { !$0.isWhitespace }
        let isAlone = text[number.endIndex...].allSatisfy(\.isWhitespace)
        let isValid = number.utf8.allSatisfy { byte in
            let character = Character(UnicodeScalar(byte))
            return character.isASCII && (character.isLetter || character.isNumber)
        }
        guard isAlone, isValid, (1...64).contains(number.utf8.count) else {
            throw .invalid(
                "order_id",
                "An order number has only letters and digits, such as MK5TTTVWJH. Copy it from Apple's mail to the "
                    + "customer."
            )
        }
        return String(number)
    }

    /// Whether it contains a zero character. It uses the C library, because a signed payload has 20 KB.
    private var holdsZero: Bool {
        var text = self
        return text.withUTF8 { utf8 in
            utf8.baseAddress.map { memchr($0, 0, utf8.count) != nil } ?? false
        }
    }
}

/// The server's errors for the members of a body.
private enum BodyRules: JSONMemberRules {
    static func missing(_ kind: JSONMemberKind, at path: String) -> APIError {
        .missing(path, "\(path) is required.")
    }

    static func wrongType(_ kind: JSONMemberKind, at path: String) -> APIError {
        let expected =
            switch kind {
            case .text: "a string"
            case .flag: "true or false"
            case .integer: "an integer"
            case .number: "a number"
            case .texts: "an array of strings"
            case .object: "an object"
            case .objects: "an array of objects"
            }
        return .invalid(path, "\(path) must be \(expected).")
    }
}

extension JSONObject {
    private var typed: JSONMembers<BodyRules> { JSONMembers(self) }

    /// A required member with a text that is not empty.
    ///
    /// - Throws: `parameter_missing` or `parameter_invalid`, naming the member.
    func requiredText(_ name: String, bytesMax: Int = 256) throws(APIError) -> String {
        try typed.requiredString(name).checkedParameter(name, bytesMax: bytesMax)
    }

    /// An optional member with a text that is not empty.
    ///
    /// - Throws: `parameter_invalid`, naming the member.
    func optionalText(_ name: String, bytesMax: Int = 256) throws(APIError) -> String? {
        guard let text = try typed.string(name) else { return nil }
        return try text.checkedParameter(name, bytesMax: bytesMax)
    }

    /// A Boolean member; false if it is absent.
    ///
    /// - Throws: `parameter_invalid`, naming the member.
    func flag(_ name: String) throws(APIError) -> Bool { try typed.bool(name) ?? false }

    /// A time span in milliseconds; nil if the member is absent.
    ///
    /// - Throws: `parameter_invalid`, naming the member.
    func milliseconds(_ name: String, max: Int64) throws(APIError) -> Int64? {
        guard let value = self[name], value != .null else { return nil }
        guard case .integer(let number) = value, (0...max).contains(number) else {
            throw .invalid(name, "\(name) must be a number of milliseconds from 0 to \(max).")
        }
        return number
    }

    /// A required time.
    ///
    /// - Throws: `parameter_missing` or `parameter_invalid`, naming the member.
    func requiredTime(_ name: String) throws(APIError) -> Timestamp {
        guard let time = try optionalTime(name) else {
            throw .missing(
                name,
                "\(name) is missing. Give milliseconds since 1970, or ISO 8601 such as 2026-02-08T09:30:00Z."
            )
        }
        return time
    }

    /// A time; nil if the member is absent.
    ///
    /// - Throws: `parameter_invalid`, naming the member.
    func optionalTime(_ name: String) throws(APIError) -> Timestamp? {
        switch self[name] {
        case nil, .null?: return nil
        case .integer(let milliseconds)? where milliseconds >= 0: return Timestamp(milliseconds: milliseconds)
        case .string(let text)?:
            guard let time = Timestamp(text: text) else { throw .invalidTime(name) }
            return time
        default: throw .invalidTime(name)
        }
    }

    /// Refuses unknown members, so that a misspelt name is an error.
    func allowOnly(_ names: Set<String>) throws(APIError) {
        if let name = typed.firstUnknown(among: names) { throw .unknown(name, known: names) }
    }
}
