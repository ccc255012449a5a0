/// Takes the lists of records out of what is encoded, so that each can be kept by what has changed in it.
package protocol RecordSink: AnyObject, Sendable {
    /// Takes a list.
    ///
    /// - Parameter path: Where it lies in what is encoded; no other list has the same path.
    func take<Element>(_ records: RecordList<Element>, at path: String)
}

/// Gives back the lists that a ``RecordSink`` took.
package protocol RecordSource: AnyObject, Sendable {
    /// The list that was taken at a path.
    ///
    /// - Throws: What the decoder of the records throws.
    func records<Element>(at path: String, count: Int) throws -> RecordList<Element>
}

extension CodingUserInfoKey {
    /// Where an encoder's ``RecordSink`` lies; without one, lists are encoded where they are.
    package static let recordSink = CodingUserInfoKey(rawValue: "perennial.recordSink")

    /// Where a decoder's ``RecordSource`` lies.
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
