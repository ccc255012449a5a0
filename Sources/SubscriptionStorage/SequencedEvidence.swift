/// A signed input with its sequence number.
public struct SequencedEvidence: Hashable, Sendable {
    /// The sequence number in the app's order of commits.
    public var sequence: Int64
    /// The input.
    public var record: EvidenceRecord

    /// Makes an entry.
    public init(sequence: Int64, record: EvidenceRecord) {
        self.sequence = sequence
        self.record = record
    }
}
