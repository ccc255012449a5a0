import AppStoreSigning
import Crypto
import Foundation

/// What a store did in a run, in sections that are compared one by one.
struct RunTranscript: Sendable {
    /// The kinds of sections, in the order of a month.
    enum Kind: String, CaseIterable {
        /// The actions with their answers or errors.
        case answers
        /// The notifications with their payloads.
        case notifications
        /// The attempts to deliver them.
        case deliveries
        /// The sales reports of a day.
        case reports
        /// What the file of `--data` contains.
        case state
    }

    /// A part of the transcript.
    struct Section: Sendable {
        /// The month and the kind, for example `month-03-answers`.
        let name: String
        /// The lines.
        let text: String

        /// The SHA-256 of the text, in hexadecimal digits.
        var digest: String { SHA256.hash(data: Array(text.utf8)).map { String(format: "%02x", $0) }.joined() }
    }

    /// The finished sections, oldest first.
    private(set) var sections: [Section] = []
    private var lines: [Kind: [String]] = [:]

    /// Adds a line to the current month.
    mutating func note(_ line: String, as kind: Kind) { lines[kind, default: []].append(line) }

    /// Ends the current month.
    mutating func close(month: Int) {
        for kind in Kind.allCases {
            guard let lines = lines[kind] else { continue }
            let name = String(format: "month-%02d-", month) + kind.rawValue
            sections.append(Section(name: name, text: lines.joined(separator: "\n") + "\n"))
        }
        lines = [:]
    }

    /// Writes one file for each section, with the payloads of signed data as JSON, so that `diff` shows the difference.
    func write(to folder: URL) throws {
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        for section in sections {
            let file = folder.appending(path: section.name + ".txt")
            try Data(Self.readable(section.text).utf8).write(to: file)
        }
    }

    /// The text with payloads instead of signed data: a notification has signed data within signed data.
    private static func readable(_ text: String) -> String {
        var readable = text
        for _ in 0..<2 {
            readable = readable.replacing(/[A-Za-z0-9_-]+\.eyJ[A-Za-z0-9_-]*\.[A-Za-z0-9_-]{86}/) { match -> String in
                let jws = String(match.output)
                let payload = (try? UnverifiedJWS.decode(jws))?.payloadBytes
                return payload.map { String(decoding: $0, as: UTF8.self) } ?? jws
            }
        }
        return readable
    }
}
