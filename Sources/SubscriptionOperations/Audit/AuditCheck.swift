package import SubscriptionCore
package import SubscriptionStorage

/// Checks that the entries of an app's audit log are those that were written: none changed, missing or moved.
///
/// Somebody who can write to the database can replace the whole chain, or its end. A head that was noted elsewhere
/// proves that nothing up to it was replaced.
package struct AuditCheck: Sendable {
    /// What is wrong with an audit log.
    package struct Finding: Hashable, Sendable {
        /// The kinds of findings.
        package enum Code: String, Sendable {
            case entryChanged = "entry_changed"
            case entriesMissing = "entries_missing"
            case entryMisplaced = "entry_misplaced"
            case entryRepeated = "entry_repeated"
            case entryEmptied = "entry_emptied"
            case headDiffers = "head_differs"
            case headMissing = "head_missing"
            case entryAdded = "entry_added"
            case entryUnlinked = "entry_unlinked"
            case erasureUnnamed = "erasure_unnamed"
        }

        /// The kind.
        package let code: Code
        /// The position of the entry; nil if it has none.
        package let sequence: Int64?
        /// What is wrong, for people.
        package let message: String
    }

    private static let findingsMax = 1_000

    private let app: AppID
    private let start: AuditHead
    /// The heads that the chain must contain.
    private let heads: [AuditHead]
    /// Positions that have not been seen, though later ones have.
    private var gaps: [ClosedRange<Int64>] = []
    private var last: AuditHead
    private var emptied = EmptiedEntries()
    private var unlinked = UnlinkedEntries()
    /// The newest entry from before the chain, among those that were passed, and as the chain names it.
    private var newestEarlier: (time: Timestamp, id: String)?
    private var namedEarlier: (time: Timestamp, id: String)?
    /// What is wrong; at most 1,000.
    package private(set) var findings: [Finding] = []
    /// How many entries of the chain were checked.
    package private(set) var checked = 0
    /// How many of them have no content any more, because their customer was erased.
    package private(set) var erased = 0
    /// How many entries are from before the chain, so that nothing proves them.
    package private(set) var earlier = 0

    /// Whether there are entries, and none of them is linked to others. A log whose positions were all removed looks as
    /// one in which nothing was written since the chain was introduced, unless it has entries that only later versions
    /// write: those are findings.
    package var isUnlinked: Bool { checked == 0 && earlier > 0 }

    /// The last entry that was checked; nil without entries.
    package var head: AuditHead? { last.sequence > start.sequence ? last : nil }

    /// Begins a check.
    ///
    /// - Parameters:
    ///   - start: The entry before the first one; nil to begin with the first of all.
    ///   - heads: Entries that the chain must contain.
    package init(_ app: AppID, after start: AuditHead? = nil, containing heads: [AuditHead] = []) {
        self.app = app
        self.start = start ?? AuditHead(sequence: 0, digest: AuditChain.start)
        self.heads = heads
        last = self.start
    }

    /// Checks the next entry.
    package mutating func check(_ entry: AuditEntry) {
        guard let link = entry.link else {
            earlier += 1
            unlinked.note(entry)
            let position = (time: entry.occurredAt, id: entry.id.rawValue)
            if newestEarlier.map({ Self.follows(position, $0) }) ?? true { newestEarlier = position }
            return
        }
        checked += 1
        let hasContent = checkContent(of: entry, link)
        let isWritten = checkDigest(of: entry, link)
        checkPosition(of: link)
        if hasContent, isWritten { emptied.note(entry, at: link.sequence) }
        if entry.action == AuditedAction.chainBegun.rawValue, link.sequence == 1 {
            namedEarlier = entry.after.flatMap(Self.newestBefore)
        }
        for head in heads where head.sequence == link.sequence && head.digest != link.digest {
            find(.headDiffers, link.sequence, "it has another digest than the head that was given or is stored")
        }
    }

    /// Ends the check.
    ///
    /// - Parameters:
    ///   - hasEarlier: Whether the entries from before the chain were among the checked ones.
    ///   - hasHead: Whether the database names a head.
    ///   - chainedKey: A key whose making or rotation must be in the chain; nil if none is known.
    package mutating func finish(hasEarlier: Bool, hasHead: Bool = true, chainedKey: String? = nil) {
        for gap in gaps {
            let text =
                gap.count == 1 ? "it is missing" : "the entries \(gap.lowerBound) to \(gap.upperBound) are missing"
            find(.entriesMissing, gap.lowerBound, text)
        }
        for head in heads where head.sequence > last.sequence {
            find(.entriesMissing, last.sequence, "the entries after it, up to \(head.sequence), are missing")
        }
        for sequence in emptied.unexplained {
            find(.entryEmptied, sequence, "it has no content, but no erasure after it names it")
        }
        for sequence in emptied.unnamed {
            find(.erasureUnnamed, sequence, "it names no emptied entries, but an erasure before it names its own")
        }
        if let problem = unlinked.problem {
            find(.entryUnlinked, nil, problem)
        } else if checked == 0, let chainedKey {
            let text = "no entry has a position, but a version with the chain made or rotated the key \(chainedKey)"
            find(earlier > 0 ? .entryUnlinked : .entriesMissing, nil, text)
        }
        if checked > 0, !hasHead {
            find(.headMissing, last.sequence, "the database has no head, so entries after it can be missing")
        }
        if hasEarlier, start.sequence == 0, checked > 0, let newestEarlier,
            namedEarlier.map({ Self.follows(newestEarlier, $0) }) ?? true
        {
            find(.entryAdded, nil, "the entry \(newestEarlier.id) without a position was added after the chain began")
        }
        findings.sort { ($0.sequence ?? 0) < ($1.sequence ?? 0) }
    }

    /// Whether an entry is newer than another.
    private static func follows(_ one: (time: Timestamp, id: String), _ other: (time: Timestamp, id: String)) -> Bool {
        one.time == other.time ? other.id.utf8.lexicographicallyPrecedes(one.id.utf8) : one.time > other.time
    }

    /// - Returns: Whether the entry has the content that was written.
    private mutating func checkContent(of entry: AuditEntry, _ link: AuditLink) -> Bool {
        guard let salt = link.salt else {
            checkEmptied(entry, link)
            return false
        }
        let isWritten = AuditChain.content(of: entry, salt: salt) == link.content
        if !isWritten { find(.entryChanged, link.sequence, "its target or values are not those that were written") }
        return isWritten
    }

    private mutating func checkEmptied(_ entry: AuditEntry, _ link: AuditLink) {
        erased += 1
        if entry.before != nil || entry.after != nil {
            find(.entryChanged, link.sequence, "it has values, but nothing to check them with")
        }
        if EmptiedEntries.isPossible(entry) {
            emptied.note(emptied: link.sequence)
        } else {
            find(.entryEmptied, link.sequence, "it has no content, but no erasure leaves its action and target")
        }
    }

    /// - Returns: Whether the entry has the digest that was written.
    private mutating func checkDigest(of entry: AuditEntry, _ link: AuditLink) -> Bool {
        let digest = AuditChain.digest(
            of: entry,
            app: app,
            sequence: link.sequence,
            previous: link.previous,
            content: link.content
        )
        guard digest != link.digest else { return true }
        find(.entryChanged, link.sequence, "its time, actor, action, request or position is not what was written")
        return false
    }

    private mutating func checkPosition(of link: AuditLink) {
        // A position has 63 bits in a file that somebody wrote.
        let expected = last.sequence == .max ? .max : last.sequence + 1
        if link.sequence == expected {
            if link.previous != last.digest {
                find(
                    .entryChanged,
                    link.sequence,
                    "it does not follow from the entry before it: one of them was replaced"
                )
            }
        } else if link.sequence > expected {
            gaps.append(expected...(link.sequence - 1))
        } else {
            checkEarlierPosition(of: link)
            return
        }
        last = AuditHead(sequence: link.sequence, digest: link.digest)
    }

    private mutating func checkEarlierPosition(of link: AuditLink) {
        guard let index = gaps.firstIndex(where: { $0.contains(link.sequence) }) else {
            find(.entryRepeated, link.sequence, "it is there twice")
            return
        }
        let gap = gaps.remove(at: index)
        if gap.upperBound > link.sequence { gaps.insert((link.sequence + 1)...gap.upperBound, at: index) }
        if gap.lowerBound < link.sequence { gaps.insert(gap.lowerBound...(link.sequence - 1), at: index) }
        find(.entryMisplaced, link.sequence, "it comes after later entries")
    }

    private mutating func find(_ code: Finding.Code, _ sequence: Int64?, _ message: String) {
        guard findings.count < Self.findingsMax else { return }
        findings.append(Finding(code: code, sequence: sequence, message: message))
    }
}
