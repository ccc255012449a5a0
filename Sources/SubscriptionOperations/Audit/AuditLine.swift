import AppStoreModel
import PerennialPrimitives
package import SubscriptionCore
package import SubscriptionStorage

/// An entry of an exported audit log: one JSON object on one line.
///
/// The values before and after are texts, because their bytes are in the digest.
package enum AuditLine {
    private static let digestByteCount = 32

    /// The line of an entry, without its end.
    package static func text(of entry: AuditEntry, app: AppID) -> String {
        var object = JSONObject()
        object["app_id"] = .string(app.rawValue)
        object["sequence"] = entry.link.map { .integer($0.sequence) } ?? .null
        object["id"] = .string(entry.id.rawValue)
        object["occurred_at"] = .integer(entry.occurredAt.milliseconds)
        object["actor"] = .string(entry.actor)
        object["action"] = .string(entry.action)
        object["target"] = .string(entry.target)
        object["before"] = .text(entry.before)
        object["after"] = .text(entry.after)
        object["request_id"] = .text(entry.requestID)
        object["salt"] = .text(entry.link?.salt?.hexadecimal)
        object["content_digest"] = .text(entry.link?.content.hexadecimal)
        object["previous_digest"] = .text(entry.link?.previous.hexadecimal)
        object["digest"] = .text(entry.link?.digest.hexadecimal)
        return String(decoding: object.serialize(), as: UTF8.self)
    }

    /// Reads a line.
    ///
    /// - Returns: nil if it is not a line of an exported audit log.
    package static func entry(of line: [UInt8]) -> (app: AppID, entry: AuditEntry)? {
        guard
            let object = try? JSONParser.parseObject(line), let app = object["app_id"]?.stringValue,
            let id = object["id"]?.stringValue, let actor = object["actor"]?.stringValue,
            let action = object["action"]?.stringValue, let target = object["target"]?.stringValue,
            case .integer(let time)? = object["occurred_at"],
            let before = optionalText(object["before"]), let after = optionalText(object["after"]),
            let request = optionalText(object["request_id"]), let link = link(of: object)
        else { return nil }
        let entry = AuditEntry(
            id: AuditEntryID(rawValue: id),
            occurredAt: Timestamp(milliseconds: time),
            actor: actor,
            action: action,
            target: target,
            before: before.value,
            after: after.value,
            requestID: request.value,
            link: link.value
        )
        return (AppID(rawValue: app), entry)
    }

    /// A member that may be null.
    private struct Member<Value> {
        let value: Value?
    }

    private static func optionalText(_ value: JSONValue?) -> Member<String>? {
        switch value {
        case .null?: Member(value: nil)
        case .string(let text)?: Member(value: text)
        default: nil
        }
    }

    /// - Returns: nil if it is malformed.
    private static func link(of object: JSONObject) -> Member<AuditLink>? {
        switch object["sequence"] {
        case .null?: return Member(value: nil)
        case .integer(let sequence)? where sequence > 0:
            guard
                let previous = digest(object["previous_digest"]), let content = digest(object["content_digest"]),
                let own = digest(object["digest"]), let saltText = optionalText(object["salt"])
            else { return nil }
            let salt = saltText.value.map { [UInt8](hexadecimal: $0) }
            // A salt that is there must be hexadecimal.
            if case .some(.none) = salt { return nil }
            return Member(
                value: AuditLink(
                    sequence: sequence,
                    previous: previous,
                    salt: salt ?? nil,
                    content: content,
                    digest: own
                )
            )
        default: return nil
        }
    }

    private static func digest(_ value: JSONValue?) -> [UInt8]? {
        guard let bytes = value?.stringValue.flatMap({ [UInt8](hexadecimal: $0) }), bytes.count == digestByteCount
        else {
            return nil
        }
        return bytes
    }
}

extension AuditHead {
    /// The form in which people note a head: its position, a colon and its digest.
    package var text: String { "\(sequence):\(digest.hexadecimal)" }

    /// Reads that form; nil if it is malformed.
    package init?(text: String) {
        let parts = text.split(separator: ":", omittingEmptySubsequences: false)
        guard
            parts.count == 2, let sequence = Int64(parts[0]), sequence > 0,
            let digest = [UInt8](hexadecimal: String(parts[1])), digest.count == 32
        else { return nil }
        self.init(sequence: sequence, digest: digest)
    }
}
