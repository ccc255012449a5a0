import PerennialPrimitives
import Testing

@testable import PerennialCommands

@Suite struct `A CSV reader` {
    private static func records(
        _ pieces: [[UInt8]],
        recordBytesMax: Int = 1 << 20
    ) -> [CSVReader.Record] {
        var reader = CSVReader(recordBytesMax: recordBytesMax)
        var records: [CSVReader.Record] = []
        for piece in pieces { reader.read(piece) { records.append($0) } }
        reader.finish { records.append($0) }
        return records
    }

    private static func records(_ text: String, recordBytesMax: Int = 1 << 20) -> [CSVReader.Record] {
        records([Array(text.utf8)], recordBytesMax: recordBytesMax)
    }

    private static func fields(_ text: String) -> [[String]?] { records(text).map { try? $0.content.get() } }

    @Test(arguments: ["\n", "\r\n", "\r"])
    func `every line end separates records, and the last one may be absent`(end: String) {
        let expected = [["a", "b"], ["1", ""]]
        #expect(Self.fields("a,b\(end)1,\(end)") == expected)
        #expect(Self.fields("a,b\(end)1,") == expected)
        #expect(Self.fields("a,b\(end)\(end)1,\(end)\(end)") == expected)
        #expect(Self.records("a,b\(end)\(end)1,").map(\.line) == [1, 3])
    }

    @Test func `quoted fields contain separators, quotation marks and line ends`() {
        #expect(
            Self.fields("\"a,b\",\"say \"\"x\"\"\",\"1\r\n2\n3\"\nnext,\"\"\n") == [
                ["a,b", "say \"x\"", "1\r\n2\n3"], ["next", ""],
            ]
        )
        #expect(Self.records("\"1\r\n2\n3\"\r\nnext").map(\.line) == [1, 4])
    }

    @Test func `a byte order mark is skipped only at the beginning`() {
        #expect(Self.fields("\u{FEFF}\"a\",b\n\u{FEFF}c,d") == [["a", "b"], ["\u{FEFF}c", "d"]])
        #expect(Self.fields("\u{FEFF}") == [])
        #expect(Self.fields("") == [])
        #expect(Self.records([[0xEF, 0xBB]]).map(\.content) == [.failure(.notUTF8)])
    }

    @Test(arguments: [
        ("a\"b,c", CSVReader.Problem.strayQuote), ("\"a\"b,c", .strayQuote), ("a,b\0", .zeroByte),
        ("\"\0\"", .zeroByte), ("0123456789,0123456789", .tooLong), (String(repeating: ",", count: 21), .tooLong),
    ])
    func `a bad record has its line and reason, and the next line is read`(
        bad: String,
        problem: CSVReader.Problem
    ) {
        let records = Self.records("x,y\n\(bad)\r\n1,2\n", recordBytesMax: 20)
        #expect(records.map(\.line) == [1, 2, 3])
        #expect(records.map(\.content) == [.success(["x", "y"]), .failure(problem), .success(["1", "2"])])
    }

    @Test func `bytes that are not UTF-8 and a missing closing quotation mark are reported`() {
        let records = Self.records([[0x61, 0xFF, 0x0A], Array("b,\"c\nd".utf8)])
        #expect(records.map(\.content) == [.failure(.notUTF8), .failure(.unclosedQuote)])
        #expect(records.map(\.line) == [1, 2])
    }

    @Test(arguments: [
        ("a,b\n", ",", true), ("a;b\r\n", ";", true), ("a\tb\r", "\t", true), ("a;b,c\n", ",", true),
        ("a\tb;c\n", ";", true), ("\"a,b\";c\n", ";", true), ("\"a\nb\";c\nd,e", ";", true), ("a\nb;c", ",", true),
        ("a;b", ";", false), ("\"a;b\n", ",", false), ("", ",", false),
    ])
    func `the first line tells the separator`(text: String, separator: String, isComplete: Bool) {
        let line = CSVReader.firstLine(of: text.utf8)
        #expect(String(Character(line.separator)) == separator)
        #expect(line.isComplete == isComplete)
    }

    @Test func `a million bad records are reported one by one`() {
        var reader = CSVReader()
        var count = 0
        var wrong = 0
        let piece = Array(String(repeating: "a\"b,c\r\n", count: 1_000).utf8)
        for _ in 0..<1_000 {
            reader.read(piece) { record in
                count += 1
                if record.line != count || record.content != .failure(.strayQuote) { wrong += 1 }
            }
        }
        reader.finish { _ in Issue.record("There is no further record.") }
        #expect(count == 1_000_000)
        #expect(wrong == 0)
    }

    @Test(arguments: 0..<200 as Range<UInt64>)
    func `written fields are read back, however the bytes are divided`(seed: UInt64) {
        var random = SplitMix64(seed: seed)
        let parts = ["a", "\"", ",", "\r\n", "\n", "\r", "é", "\u{FEFF}", " ", "日本"]
        let rows = (0..<Int.random(in: 1...8, using: &random)).map { _ in
            (0..<Int.random(in: 2...4, using: &random)).map { _ in
                (0..<Int.random(in: 0...5, using: &random))
                    .map { _ in parts[Int.random(in: 0..<parts.count, using: &random)] }.joined()
            }
        }
        let end = ["\n", "\r\n", "\r"][Int.random(in: 0..<3, using: &random)]
        let text = rows.map { row in
            row.map { "\"\($0.replacing("\"", with: "\"\""))\"" }.joined(separator: ",") + end
        }.joined()
        var rest = Array(text.utf8)[...]
        var pieces: [[UInt8]] = []
        while !rest.isEmpty {
            let piece = rest.prefix(Int.random(in: 1...7, using: &random))
            pieces.append(Array(piece))
            rest = rest.dropFirst(piece.count)
        }
        let read = Self.records(pieces)
        #expect(read.map { try? $0.content.get().map { Array($0.utf8) } } == rows.map { $0.map { Array($0.utf8) } })
        #expect(read == Self.records(text))
    }
}
