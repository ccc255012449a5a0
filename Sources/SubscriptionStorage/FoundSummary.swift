/// A line in the list of evidence, whether or not it can be read.
public struct FoundSummary: Hashable, Sendable {
    /// The sequence number in the app's order of commits.
    public var sequence: Int64
    /// The line; nil if its row cannot be read.
    public var summary: EvidenceSummary?

    /// Makes an entry.
    public init(sequence: Int64, summary: EvidenceSummary?) {
        self.sequence = sequence
        self.summary = summary
    }
}
