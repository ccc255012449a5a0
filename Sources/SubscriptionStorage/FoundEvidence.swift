/// A stored signed input, whether or not it can be read.
public struct FoundEvidence: Hashable, Sendable {
    /// The sequence number in the app's order of commits.
    public var sequence: Int64
    /// The input; nil if it cannot be restored.
    public var record: EvidenceRecord?

    /// Makes an entry.
    public init(sequence: Int64, record: EvidenceRecord?) {
        self.sequence = sequence
        self.record = record
    }
}
