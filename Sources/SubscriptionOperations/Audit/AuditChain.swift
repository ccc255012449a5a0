import AppStoreModel
import Crypto
package import SubscriptionCore
package import SubscriptionStorage

/// The digests that link the entries of an app's audit log.
///
/// Each value is hashed as a netstring, `5:hello,`, and a missing one as `-`, so that no two entries have the same
/// bytes.
/// `Documentation/reference/audit-log.md` describes it for other programs.
package enum AuditChain {
    /// The digest before the first entry.
    package static let start = [UInt8](repeating: 0, count: SHA256.byteCount)
    private static let saltByteCount = 16

    /// The digest of an entry's target and values.
    package static func content(of entry: AuditEntry, salt: [UInt8]) -> [UInt8] {
        var hash = SHA256()
        hash.update(netstring: salt)
        for text in [entry.target, entry.before, entry.after] { hash.update(netstring: text) }
        return Array(hash.finalize())
    }

    /// The digest of an entry with the digests of its content and of the entry before.
    package static func digest(
        of entry: AuditEntry,
        app: AppID,
        sequence: Int64,
        previous: [UInt8],
        content: [UInt8]
    ) -> [UInt8] {
        var hash = SHA256()
        hash.update(netstring: previous)
        hash.update(netstring: app.rawValue)
        hash.update(netstring: String(sequence))
        hash.update(netstring: entry.id.rawValue)
        hash.update(netstring: String(entry.occurredAt.milliseconds))
        for text in [entry.actor, entry.action, entry.requestID] { hash.update(netstring: text) }
        hash.update(netstring: content)
        return Array(hash.finalize())
    }

    /// The link of a new entry.
    static func link(_ entry: AuditEntry, app: AppID, after head: AuditHead?) -> AuditLink {
        let (sequence, previous) = ((head?.sequence ?? 0) + 1, head?.digest ?? start)
        let salt = RandomSecret.bytes(saltByteCount)
        let content = content(of: entry, salt: salt)
        return AuditLink(
            sequence: sequence,
            previous: previous,
            salt: salt,
            content: content,
            digest: digest(of: entry, app: app, sequence: sequence, previous: previous, content: content)
        )
    }
}

extension SHA256 {
    fileprivate mutating func update(netstring bytes: [UInt8]) {
        update(data: Array("\(bytes.count):".utf8))
        update(data: bytes)
        update(data: [UInt8(ascii: ",")])
    }

    fileprivate mutating func update(netstring text: String?) {
        guard let text else {
            update(data: [UInt8(ascii: "-")])
            return
        }
        update(netstring: Array(text.utf8))
    }
}

extension StorageWriting {
    /// Adds an entry at the end of an app's chain.
    ///
    /// - Throws: ``StorageError``: `storage_corrupt` if the head is not the last entry, because an entry must not be
    ///   lost.
    func append(_ entry: AuditEntry, to app: AppID) throws(StorageError) {
        var head = try auditHead(of: app)
        guard try auditChain(of: app, after: head?.sequence ?? 0, limit: 1).isEmpty else { throw .auditHeadBehind }
        if head == nil, let begun = try chainBegun(app: app, at: entry.occurredAt) {
            head = try insert(begun, after: nil, to: app)
        }
        let new = try insert(entry, after: head, to: app)
        try save(new, of: app)
    }

    private func insert(_ entry: AuditEntry, after head: AuditHead?, to app: AppID) throws(StorageError) -> AuditHead {
        var entry = entry
        let link = AuditChain.link(entry, app: app, after: head)
        entry.link = link
        try insert(entry, of: app)
        return AuditHead(sequence: link.sequence, digest: link.digest)
    }

    /// The first entry of the chain of an app that has entries from before it; nil if it has none. It names the newest
    /// of them, so that later ones are found.
    private func chainBegun(app: AppID, at now: Timestamp) throws(StorageError) -> AuditEntry? {
        guard let newest = try auditEntries(of: app, limit: 1).first else { return nil }
        return AuditEntry(
            id: AuditEntryID(sequence: 0),
            occurredAt: now,
            actor: "perennial",
            action: AuditedAction.chainBegun.rawValue,
            target: AuditedTarget.auditLog.text,
            after: AuditedValue([
                "newest_id": .string(newest.id.rawValue), "newest_at": .integer(newest.occurredAt.milliseconds),
            ]).json
        )
    }
}

extension AuditEntryID {
    /// Makes an identifier that sorts by the position, for entries of the same millisecond.
    init(sequence: Int64) {
        let digits = String(sequence, radix: 16)
        let number = String(repeating: "0", count: 12 - min(12, digits.count)) + digits
        self.init(rawValue: "aud_" + number + RandomName.make().prefix(12))
    }
}

extension StorageError {
    fileprivate static let auditHeadBehind = StorageError(
        .corrupt,
        "The audit log has entries after its head, so a table was changed by hand or restored in part. "
            + "perennial audit verify shows them.",
        isRetryable: false
    )
}
