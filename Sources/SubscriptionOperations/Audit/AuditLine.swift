import AppStoreModel
import PerennialPrimitives
package import SubscriptionCore
package import SubscriptionStorage

/// An entry of an exported audit log: one JSON object on one line.
///
/// The values before and after are texts, because their bytes are in the digest.
package enum AuditLine {
    private static let digestByteCount = 32
    /// The members that may be null. None may be absent: a part of a line is not taken for an entry.
    private static let nullable = ["sequence", "before", "after", "request_id", "salt"]

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
        guard let object = try? JSONParser.parseObject(line), nullable.allSatisfy({ object[$0] != nil }) else {
            return nil
        }
        return try? entry(in: JSONMembers(object))
    }

    private static func entry(
        in line: JSONMembers<AuditLineRules>
    ) throws(AuditLineMalformed) -> (app: AppID, entry: AuditEntry) {
        let entry = AuditEntry(
            id: AuditEntryID(rawValue: try line.requiredString("id")),
            occurredAt: Timestamp(milliseconds: try line.requiredInteger("occurred_at")),
            actor: try line.requiredString("actor"),
            action: try line.requiredString("action"),
            target: try line.requiredString("target"),
            before: try line.string("before"),
            after: try line.string("after"),
            requestID: try line.string("request_id"),
            link: try link(in: line)
        )
        return (AppID(rawValue: try line.requiredString("app_id")), entry)
    }

    private static func link(in line: JSONMembers<AuditLineRules>) throws(AuditLineMalformed) -> AuditLink? {
        guard let sequence = try line.integer("sequence") else { return nil }
        guard sequence > 0 else { throw AuditLineMalformed() }
        return AuditLink(
            sequence: sequence,
            previous: try digest("previous_digest", in: line),
            salt: try bytes("salt", in: line),
            content: try digest("content_digest", in: line),
            digest: try digest("digest", in: line)
        )
    }

    private static func digest(
        _ key: String,
        in line: JSONMembers<AuditLineRules>
    ) throws(AuditLineMalformed) -> [UInt8] {
        guard let bytes = try bytes(key, in: line), bytes.count == digestByteCount else { throw AuditLineMalformed() }
        return bytes
    }

    private static func bytes(
        _ key: String,
        in line: JSONMembers<AuditLineRules>
    ) throws(AuditLineMalformed) -> [UInt8]? {
        guard let text = try line.string(key) else { return nil }
        guard let bytes = [UInt8](hexadecimal: text) else { throw AuditLineMalformed() }
        return bytes
    }
}

/// A line that is not one of an exported audit log.
private struct AuditLineMalformed: Error {}

private enum AuditLineRules: JSONMemberRules {
    static func missing(_ kind: JSONMemberKind, at path: String) -> AuditLineMalformed { AuditLineMalformed() }

    static func wrongType(_ kind: JSONMemberKind, at path: String) -> AuditLineMalformed { AuditLineMalformed() }
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
