/// Extracts the lists of records from an encoded value, so that each can be saved as changes.
package protocol RecordSink: AnyObject, Sendable {
    /// Extracts a list.
    ///
    /// - Parameter path: Its coding path; no other list has the same path.
    func take<Element>(_ records: RecordList<Element>, at path: String)
}

/// Returns the lists that a ``RecordSink`` extracted.
package protocol RecordSource: AnyObject, Sendable {
    /// The list that was extracted at a path.
    ///
    /// - Throws: Errors of the decoder of the records.
    func records<Element>(at path: String, count: Int) throws -> RecordList<Element>
}

extension CodingUserInfoKey {
    /// The key of an encoder's ``RecordSink``; without one, lists are encoded in place.
    package static let recordSink = CodingUserInfoKey(rawValue: "perennial.recordSink")

    /// The key of a decoder's ``RecordSource``.
    package static let recordSource = CodingUserInfoKey(rawValue: "perennial.recordSource")
}

extension RecordList: Codable {
    package init(from decoder: any Decoder) throws {
        self.init()
        if let source = CodingUserInfoKey.recordSource.flatMap({ decoder.userInfo[$0] }) as? any RecordSource {
            let count = try decoder.singleValueContainer().decode(Int.self)
            self = try source.records(at: Self.path(decoder.codingPath), count: count)
        } else {
            var container = try decoder.unkeyedContainer()
            while !container.isAtEnd { append(try container.decode(Element.self)) }
        }
    }

    package func encode(to encoder: any Encoder) throws {
        if let sink = CodingUserInfoKey.recordSink.flatMap({ encoder.userInfo[$0] }) as? any RecordSink {
            sink.take(self, at: Self.path(encoder.codingPath))
            var container = encoder.singleValueContainer()
            try container.encode(count)
        } else {
            var container = encoder.unkeyedContainer()
            for element in self { try container.encode(element) }
        }
    }

    private static func path(_ keys: [any CodingKey]) -> String {
        keys.map { key in key.intValue.map { String($0) } ?? key.stringValue }.joined(separator: "/")
    }
}
