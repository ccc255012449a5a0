extension [String: Int] {
    /// One `name count` for each line, in order of name. Names have no spaces.
    var countsText: String {
        sorted { $0.key < $1.key }.map { "\($0.key) \($0.value)" }.joined(separator: "\n")
    }

    /// Reads counts.
    ///
    /// - Throws: ``StorageError`` with `storage_corrupt`.
    init(countsText text: String) throws(StorageError) {
        self.init()
        for line in text.split(separator: "\n") {
            let parts = line.split(separator: " ")
            guard parts.count == 2, let count = Int(parts[1]) else { throw .unreadable("a count") }
            self[String(parts[0])] = count
        }
    }
}
