import LocalAppStore

/// The JSON of a value, in an order that is equal in every process.
///
/// `JSONEncoder`, which writes the file of `--data`, orders members by their hashes. Sets and dictionaries whose keys
/// are no texts become arrays in the same order. Hashes differ from process to process, so two files of equal stores
/// differ. Here members, elements of sets and pairs of such dictionaries are sorted; nothing else is changed, except
/// that a version 1 notification is one text, whose receipt is reduced to its content.
indirect enum CanonicalJSON {
    case scalar(String)
    case list([CanonicalJSON])
    case object([String: CanonicalJSON])

    /// Encodes a value.
    init(_ value: some Encodable) throws {
        let node = Node()
        try node.fill(with: value)
        self = node.json
    }

    /// One line for each member down to a depth: its path and its JSON.
    ///
    /// With three levels, each record of the store's lists has its own line.
    func lines(levels: Int = 3, at path: String = "") -> [String] {
        switch self {
        case .list(let elements) where levels > 0 && !elements.isEmpty:
            elements.enumerated().flatMap { $1.lines(levels: levels - 1, at: "\(path)/\($0)") }
        case .object(let members) where levels > 0 && !members.isEmpty:
            members.sorted { $0.key < $1.key }.flatMap { $1.lines(levels: levels - 1, at: "\(path)/\($0)") }
        default: ["\(path) \(text)"]
        }
    }

    /// The JSON without spaces.
    var text: String {
        switch self {
        case .scalar(let text): text
        case .list(let elements): "[" + elements.map(\.text).joined(separator: ",") + "]"
        case .object(let members):
            "{"
                + members.sorted { $0.key < $1.key }.map { "\"\($0.key)\":\($0.value.text)" }
                .joined(separator: ",") + "}"
        }
    }
}

/// A value whose elements are encoded in the order of hashes.
private protocol UnorderedElements {}

extension Set: UnorderedElements {}

/// A value that is encoded as an array of keys and values, in the order of hashes, unless its keys are texts.
private protocol UnorderedPairs {}

extension Dictionary: UnorderedPairs {}

/// A value under construction.
private final class Node {
    private var scalar: String?
    private var elements: [Node]?
    private var members: [String: Node]?
    private var sort: (([CanonicalJSON]) -> [CanonicalJSON])?

    var json: CanonicalJSON {
        if let members { return .object(members.mapValues(\.json)) }
        guard let elements else { return .scalar(scalar ?? "{}") }
        let list = elements.map(\.json)
        return .list(sort?(list) ?? list)
    }

    func fill(with value: some Encodable) throws {
        if let text = Self.scalar(value) {
            scalar = text
            return
        }
        if value is any UnorderedElements { sort = { $0.sorted { $0.text < $1.text } } }
        if value is any UnorderedPairs { sort = Self.sortedPairs }
        try value.encode(to: CanonicalEncoder(node: self))
    }

    func fillWithNull() { scalar = "null" }

    func beginMembers() { members = members ?? [:] }

    func beginElements() { elements = elements ?? [] }

    var count: Int { elements?.count ?? 0 }

    func member(_ key: String) -> Node {
        let node = Node()
        members?[key] = node
        return node
    }

    func nextElement() -> Node {
        let node = Node()
        elements?.append(node)
        return node
    }

    private static func sortedPairs(_ list: [CanonicalJSON]) -> [CanonicalJSON] {
        stride(from: 0, to: list.count - 1, by: 2)
            .map { CanonicalJSON.list([list[$0], list[$0 + 1]]) }
            .sorted { $0.text < $1.text }
    }

    private static func scalar(_ value: some Encodable) -> String? {
        switch value {
        case let text as String: quoted(text)
        case let flag as Bool: flag ? "true" : "false"
        case let number as any BinaryInteger: "\(number)"
        case let number as any BinaryFloatingPoint: "\(number)"
        case let body as NotificationBody: version1Text(body)
        default: nil
        }
    }

    private static func version1Text(_ body: NotificationBody) -> String? {
        guard case .version1(let json) = body else { return nil }
        return quoted(ReceiptContent.replacingReceipts(in: json))
    }

    private static func quoted(_ text: String) -> String {
        "\"" + text.replacing("\\", with: "\\\\").replacing("\"", with: "\\\"").replacing("\n", with: "\\n") + "\""
    }
}

// A generic method satisfies the requirements for each type of number and text.

private struct CanonicalEncoder: Encoder, SingleValueEncodingContainer {
    let node: Node
    var codingPath: [any CodingKey] { [] }
    var userInfo: [CodingUserInfoKey: Any] { [:] }

    func container<Key: CodingKey>(keyedBy type: Key.Type) -> KeyedEncodingContainer<Key> {
        node.beginMembers()
        return KeyedEncodingContainer(CanonicalMembers<Key>(node: node))
    }

    func unkeyedContainer() -> any UnkeyedEncodingContainer {
        node.beginElements()
        return CanonicalElements(node: node)
    }

    func singleValueContainer() -> any SingleValueEncodingContainer { self }

    func encodeNil() { node.fillWithNull() }

    func encode<Value: Encodable>(_ value: Value) throws { try node.fill(with: value) }
}

private struct CanonicalMembers<Key: CodingKey>: KeyedEncodingContainerProtocol {
    let node: Node
    var codingPath: [any CodingKey] { [] }

    func encodeNil(forKey key: Key) { node.member(key.stringValue).fillWithNull() }

    func encode<Value: Encodable>(_ value: Value, forKey key: Key) throws {
        try node.member(key.stringValue).fill(with: value)
    }

    func nestedContainer<Nested: CodingKey>(
        keyedBy keyType: Nested.Type,
        forKey key: Key
    ) -> KeyedEncodingContainer<Nested> {
        CanonicalEncoder(node: node.member(key.stringValue)).container(keyedBy: keyType)
    }

    func nestedUnkeyedContainer(forKey key: Key) -> any UnkeyedEncodingContainer {
        CanonicalEncoder(node: node.member(key.stringValue)).unkeyedContainer()
    }

    func superEncoder() -> any Encoder { CanonicalEncoder(node: node.member("super")) }

    func superEncoder(forKey key: Key) -> any Encoder { CanonicalEncoder(node: node.member(key.stringValue)) }
}

private struct CanonicalElements: UnkeyedEncodingContainer {
    let node: Node
    var codingPath: [any CodingKey] { [] }
    var count: Int { node.count }

    func encodeNil() { node.nextElement().fillWithNull() }

    func encode<Value: Encodable>(_ value: Value) throws { try node.nextElement().fill(with: value) }

    func nestedContainer<Nested: CodingKey>(keyedBy keyType: Nested.Type) -> KeyedEncodingContainer<Nested> {
        CanonicalEncoder(node: node.nextElement()).container(keyedBy: keyType)
    }

    func nestedUnkeyedContainer() -> any UnkeyedEncodingContainer {
        CanonicalEncoder(node: node.nextElement()).unkeyedContainer()
    }

    func superEncoder() -> any Encoder { CanonicalEncoder(node: node.nextElement()) }
}
