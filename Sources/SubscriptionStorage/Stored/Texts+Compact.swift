/// The stored form of a list of texts: one byte for the form, the count, then each text (decision 24).
extension [String] {
    private static var form: UInt8 { 1 }

    /// The texts as bytes, the same for equal lists.
    package var compactBytes: [UInt8] {
        var writer = CompactWriter(form: Self.form)
        writer.write(UInt64(count))
        for text in self { writer.write(text) }
        return writer.bytes
    }

    /// Reads what ``compactBytes`` wrote.
    ///
    /// - Throws: ``StorageError`` with `storage_corrupt`.
    @usableFromInline package init(compactBytes: [UInt8]) throws(StorageError) {
        var reader = try CompactReader(compactBytes)
        guard reader.form == Self.form else { throw .unreadable("a list of form \(reader.form)") }
        self.init()
        for _ in 0..<(try reader.count()) { append(try reader.text()) }
        try reader.finish()
    }
}

extension ColumnReading {
    /// A list of texts; empty for a null.
    ///
    /// - Throws: ``StorageError`` with `storage_corrupt`.
    @inlinable package func texts(_ column: Int) throws(StorageError) -> [String] {
        guard let bytes = try optionalBytes(column) else { return [] }
        return try [String](compactBytes: bytes)
    }
}
