// Generated from Schema/purchase-data.toml; run `make generate` after a change there.
// swift-format-ignore-file

/// The order of a transaction history, by the date of the last change.
///
/// - Source: App Store Server API, Get Transaction History, `sort`.
public struct HistorySort: OpenValue {
    /// The raw value in JSON.
    public let rawValue: String

    /// Wraps a value, known or not.
    public init(rawValue: String) { self.rawValue = rawValue }

    /// Oldest change first.
    public static let ascending = HistorySort(rawValue: "ASCENDING")
    /// Newest change first.
    public static let descending = HistorySort(rawValue: "DESCENDING")

    /// Every value that Apple documents.
    public static let documented: [HistorySort] = [.ascending, .descending]
}
