import AppStoreClient
import AppStoreModel
import Foundation
import PerennialCommandSupport

/// Writes API answers to standard output.
struct AnswerPrinter {
    /// Whether the output is for programs.
    let json: Bool
    /// Whether each answer is one line, because several follow.
    let compact: Bool

    /// Writes one answer.
    func print(_ answer: AppStoreHTTPResponse) {
        StandardOutput.printLine(text(of: answer.body, status: answer.status))
    }

    /// The text of an answer.
    ///
    /// - Parameters:
    ///   - body: The original body; many calls have none.
    ///   - status: The HTTP status.
    func text(of body: [UInt8], status: Int) -> String {
        let value = try? JSONParser.parse(body)
        if json {
            // An answer without a body is still reported: programs get JSON every time.
            guard !body.isEmpty else { return "{}" }
            guard compact, let value else { return String(decoding: body, as: UTF8.self) }
            return String(decoding: value.serialize(), as: UTF8.self)
        }
        guard !body.isEmpty else { return "done (HTTP \(status), no body)" }
        guard let value else { return TerminalText.escaped(String(decoding: body, as: UTF8.self)) }
        let inside = SignedInside.find(in: value)
        let note = inside.isEmpty ? [] : ["decoded, not verified:"]
        return ([ReadableJSON.text(value, hidesSigned: true)] + note + inside.map(\.text)).joined(separator: "\n")
    }
}
