/// Why stored work failed, for the person who looks at it.
public struct StoredFailure: Hashable, Sendable {
    /// The stable code.
    public var code: String
    /// What went wrong and what to do.
    public var message: String

    /// Makes a failure.
    public init(code: String, message: String) {
        self.code = code
        self.message = message
    }
}

extension ColumnReading {
    /// A failure in two columns, code and message; nil for a null.
    ///
    /// - Throws: ``StorageError`` with `storage_corrupt`.
    func optionalFailure(_ column: Int) throws(StorageError) -> StoredFailure? {
        guard let code = try optionalText(column) else { return nil }
        return StoredFailure(code: code, message: try optionalText(column + 1) ?? "")
    }
}
