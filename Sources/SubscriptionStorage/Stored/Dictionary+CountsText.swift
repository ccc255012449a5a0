extension [String: Int] {
    /// One `name count` for each line, in order of name. Line breaks in names are escaped.
    var countsText: String {
        sorted { $0.key < $1.key }.map { "\($0.key.escapedLine) \($0.value)" }.joined(separator: "\n")
    }

    /// Reads counts.
    ///
    /// - Throws: ``StorageError`` with `storage_corrupt`.
    init(countsText text: String) throws(StorageError) {
        self.init()
        for line in text.split(separator: "\n") {
            guard let space = line.lastIndex(of: " "), let count = Int(line[line.index(after: space)...]) else {
                throw .unreadable("a count")
            }
            self[String(line[..<space]).unescapedLine] = count
        }
    }
}

extension String {
    fileprivate var escapedLine: String {
        guard utf8.contains(where: { $0 == UInt8(ascii: "%") || $0 == UInt8(ascii: "\n") }) else { return self }
        return replacing("%", with: "%25").replacing("\n", with: "%0A")
    }

    fileprivate var unescapedLine: String {
        guard utf8.contains(UInt8(ascii: "%")) else { return self }
        return replacing("%0A", with: "\n").replacing("%25", with: "%")
    }
}
