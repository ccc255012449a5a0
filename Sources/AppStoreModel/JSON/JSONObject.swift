/// A JSON object whose members keep their order.
///
/// No two members have the same key. Two objects are equal when they have equal members in any order, as RFC 8259 has
/// it.
public struct JSONObject: Sendable {
    /// One name with its value.
    public struct Member: Hashable, Sendable {
        /// The member's name.
        public let key: String
        /// The member's value.
        public var value: JSONValue

        /// Pairs a name with a value.
        public init(key: String, value: JSONValue) {
            self.key = key
            self.value = value
        }
    }

    /// The members in their order; no key occurs twice.
    public private(set) var members: [Member]

    /// Makes an object without members.
    public init() {
        members = []
    }

    /// Takes over members whose keys are known to be distinct.
    init(distinctMembers: [Member]) {
        members = distinctMembers
    }

    /// The number of members.
    public var count: Int { members.count }

    /// Whether there is no member.
    public var isEmpty: Bool { members.isEmpty }

    /// The keys in their order.
    public var keys: [String] { members.map(\.key) }

    /// The value of a member; setting replaces in place or appends, and setting nil removes.
    public subscript(key: String) -> JSONValue? {
        get {
            index(of: key, from: 0).map { members[$0].value }
        }
        set {
            switch (index(of: key, from: 0), newValue) {
            case (let index?, let value?): members[index].value = value
            case (let index?, nil): members.remove(at: index)
            case (nil, let value?): members.append(Member(key: key, value: value))
            case (nil, nil): break
            }
        }
    }

    /// The object as JSON text in UTF-8, without white space.
    public func serialize() -> [UInt8] {
        var writer = JSONWriter()
        writer.write(self)
        return writer.bytes
    }

    /// Where `key` is, looked for from `start` to the end and then from the beginning to `start`.
    ///
    /// Lengths are compared first: members are few, and keys of equal length fewer.
    func index(of key: String, from start: Int) -> Int? {
        let length = key.utf8.count
        return members.withUnsafeBufferPointer { members in
            for index in start..<members.count
            where members[index].key.utf8.count == length && members[index].key == key {
                return index
            }
            for index in 0..<start where members[index].key.utf8.count == length && members[index].key == key {
                return index
            }
            return nil
        }
    }

    /// One bit for each length (modulo 64) that a key has.
    ///
    /// Looked at in place: to go through the members as a sequence keeps each of them, which costs twenty times as
    /// much.
    var keyLengths: UInt64 {
        members.withUnsafeBufferPointer { members in
            var lengths: UInt64 = 0
            for index in members.indices { lengths |= 1 << UInt64(members[index].key.utf8.count & 63) }
            return lengths
        }
    }

    /// Adds a member whose key is known to be new.
    mutating func append(distinctKey key: String, _ value: JSONValue) {
        members.append(Member(key: key, value: value))
    }
}

extension JSONObject: ExpressibleByDictionaryLiteral {
    /// Makes an object; of equal keys the last one counts.
    public init(dictionaryLiteral elements: (String, JSONValue)...) {
        self.init()
        for (key, value) in elements { self[key] = value }
    }
}

extension JSONObject: Hashable {
    /// Whether both have equal members, in any order.
    public static func == (left: JSONObject, right: JSONObject) -> Bool {
        guard left.count == right.count else { return false }
        if left.members == right.members { return true }
        let values = Dictionary(right.members.map { ($0.key, $0.value) }, uniquingKeysWith: { first, _ in first })
        return left.members.allSatisfy { values[$0.key] == $0.value }
    }

    /// Feeds the members, whatever their order.
    public func hash(into hasher: inout Hasher) {
        var combined = 0
        for member in members {
            var own = Hasher()
            own.combine(member)
            combined ^= own.finalize()
        }
        hasher.combine(combined)
    }
}
