extension ModelError {
    /// Throws if a request violates a documented rule.
    ///
    /// - Throws: ``ModelError`` with ``ModelError/Code/ruleBroken``.
    static func unless(
        _ condition: @autoclosure () -> Bool,
        _ path: String,
        _ message: @autoclosure () -> String
    ) throws(ModelError) {
        guard condition() else { throw ModelError(.ruleBroken, path: path, message: message()) }
    }
}

extension String {
    /// Whether the text is three capital letters, as in ISO 3166-1 alpha-3.
    var isAlpha3Code: Bool {
        let bytes = utf8.prefix(4)
        return bytes.count == 3 && bytes.allSatisfy { (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains($0) }
    }
}
