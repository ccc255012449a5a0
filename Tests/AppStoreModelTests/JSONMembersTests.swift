import AppStoreModel
import Testing

@Suite struct `The members of a JSON object` {
    private enum Rules: JSONMemberRules {
        struct Failure: Error, Hashable {
            let isMissing: Bool
            let kind: JSONMemberKind
            let path: String
        }

        static func missing(_ kind: JSONMemberKind, at path: String) -> Failure {
            Failure(isMissing: true, kind: kind, path: path)
        }

        static func wrongType(_ kind: JSONMemberKind, at path: String) -> Failure {
            Failure(isMissing: false, kind: kind, path: path)
        }
    }

    private let members = JSONMembers<Rules>([
        "text": "a", "flag": true, "integer": 7, "number": .decimal("1.5"), "null": .null, "texts": ["a", "b"],
        "mixed": ["a", 1], "inner": ["a": ["b": 1]], "list": [["a": 1], ["a": "x"]], "holed": [["a": 1], .null],
    ])

    @Test func `members are read by their types`() throws {
        #expect(try members.requiredString("text") == "a")
        #expect(try members.requiredBool("flag"))
        #expect(try members.requiredInteger("integer") == 7)
        #expect(try members.number("integer") == 7 && members.number("number") == 1.5)
        #expect(try members.strings("texts") == ["a", "b"])
    }

    @Test func `members are absent when they are null`() throws {
        for key in ["null", "none"] {
            #expect(try members.string(key) == nil && members.bool(key) == nil && members.integer(key) == nil)
            #expect(try members.number(key) == nil && members.strings(key) == nil)
            #expect(try members.inner(key) == nil && members.innerList(key) == nil)
            #expect(throws: Rules.Failure(isMissing: true, kind: .text, path: key)) {
                try members.requiredString(key)
            }
        }
    }

    @Test func `members of another type are refused with their path`() throws {
        #expect(throws: Rules.Failure(isMissing: false, kind: .text, path: "integer")) { try members.string("integer") }
        #expect(throws: Rules.Failure(isMissing: false, kind: .integer, path: "number")) {
            try members.integer("number")
        }
        #expect(throws: Rules.Failure(isMissing: false, kind: .texts, path: "mixed")) { try members.strings("mixed") }
        #expect(throws: Rules.Failure(isMissing: false, kind: .flag, path: "inner.a.b")) {
            try members.inner("inner")?.inner("a")?.requiredBool("b")
        }
        #expect(throws: Rules.Failure(isMissing: false, kind: .object, path: "holed[1]")) {
            try members.innerList("holed")
        }
        #expect(throws: Rules.Failure(isMissing: false, kind: .integer, path: "list[1].a")) {
            try members.innerList("list")?.map { try $0.integer("a") }
        }
    }

    @Test func `members inside a list are checked in order`() {
        var checked: [String] = []
        #expect(throws: Rules.Failure(isMissing: false, kind: .object, path: "holed[1]")) {
            try members.innerList("holed") { (inner) throws(Rules.Failure) in checked.append(inner.path) }
        }
        #expect(checked == ["holed[0]"])
    }

    @Test func `unknown members are found`() {
        let known = Set(members.object.keys)
        #expect(members.firstUnknown(among: known) == nil)
        #expect(members.firstUnknown(among: known.subtracting(["flag", "list"])) == "flag")
    }
}
