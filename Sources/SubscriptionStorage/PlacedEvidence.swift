/// A signed input at its place in the app's order of commits.
public struct PlacedEvidence: Hashable, Sendable {
    /// The place.
    public var sequence: Int64
    /// The input.
    public var record: EvidenceRecord

    /// Makes an entry.
    public init(sequence: Int64, record: EvidenceRecord) {
        self.sequence = sequence
        self.record = record
    }
}
