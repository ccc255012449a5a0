import AppStoreModel
import Logging
import PerennialCommandSupport
import Synchronization
import Testing

@testable import PerennialCommands

/// The log for programs: one JSON object per line, for any content.
@Suite struct `Log lines in JSON` {
    private final class Lines: Sendable {
        private let lines = Mutex<[String]>([])
        var all: [String] { lines.withLock { $0 } }
        func add(_ line: String) { lines.withLock { $0.append(line) } }
    }

    private static func logged(_ body: (Logger) -> Void) throws -> [JSONObject] {
        let lines = Lines()
        body(Logger(label: "perennial.test") { JSONLogHandler(label: $0) { lines.add($0) } })
        #expect(lines.all.allSatisfy { !$0.contains { $0.isNewline } })
        return try lines.all.map { try JSONParser.parseObject(Array($0.utf8)) }
    }

    @Test func `a line contains time, level, logger, message and metadata`() throws {
        let lines = try Self.logged { logger in
            var logger = logger
            logger[metadataKey: "request_id"] = "req_1"
            logger.notice(
                "A \"line\"\nwith an end",
                metadata: ["list": ["a", "b"], "in": ["side": "x"], "number": .stringConvertible(7)]
            )
        }
        let line = try #require(lines.first)
        #expect(lines.count == 1)
        #expect(line["level"] == "notice" && line["logger"] == "perennial.test")
        #expect(line["message"] == "A \"line\"\nwith an end")
        #expect(line["request_id"] == "req_1" && line["number"] == "7")
        #expect(line["list"] == ["a", "b"] && line["in"] == ["side": "x"])
        guard case .string(let time)? = line["time"] else { throw MissingTime() }
        #expect(time.hasSuffix("Z") && time.split(separator: "T").count == 2)
    }

    @Test func `metadata never replaces the standard fields`() throws {
        let line = try #require(try Self.logged { $0.error("text", metadata: ["message": "x", "level": "y"]) }.first)
        #expect(line["message"] == "text" && line["level"] == "error")
        #expect(line["message_"] == "x" && line["level_"] == "y")
    }

    @Test func `messages below the level are omitted`() throws {
        let lines = try Self.logged { logger in
            logger.info("left out")
            logger.notice("reported")
        }
        #expect(lines.map { $0["message"] } == ["reported"])
    }

    @Test func `for people a line begins with time and level, and stays one line`() throws {
        let lines = Lines()
        let logger = Logger(label: "perennial.test") { _ in TextLogHandler { lines.add($0) } }
        logger.notice("It starts", metadata: ["version": "1", "note": "two words", "none": "", "odd": "a\nb\u{1B}[2J"])
        let line = try #require(lines.all.first)
        #expect(line.hasSuffix(#" notice It starts none="" note="two words" odd=a b\u001b[2J version=1"#))
        #expect(line.prefix(4).allSatisfy(\.isNumber) && line.contains("Z notice"))
        #expect(lines.all.count == 1)
    }

    private struct MissingTime: Error {}
}
