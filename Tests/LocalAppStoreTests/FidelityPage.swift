import Foundation
import Testing

/// The part of `Documentation/fidelity.md` that names what the store never does.
struct FidelityPage {
    /// Names that are listed as never used.
    let unused: Set<String>

    /// Reads the page of this checkout.
    init(file: String = #filePath) throws {
        let folder = URL(fileURLWithPath: file).resolvingSymlinksInPath().deletingLastPathComponent()
        let page = folder.appending(path: "../../Documentation/fidelity.md").standardized
        let text = try String(contentsOf: page, encoding: .utf8)
        let section = text.components(separatedBy: "\n## ").first { $0.hasPrefix("Names that the store never uses\n") }
        let rows = try #require(section).split(separator: "\n").filter { $0.hasPrefix("|") }
        let cells = rows.compactMap { $0.split(separator: "|").first }
        unused = Set(
            cells.flatMap { cell in
                cell.split(separator: "`", omittingEmptySubsequences: false).enumerated()
                    .filter { !$0.offset.isMultiple(of: 2) }.map { String($0.element) }
            }
        )
    }

    /// Expects that every name of a vocabulary was seen or is listed, and that none is both.
    func expect(
        _ seen: Set<String>,
        of vocabulary: Set<String>,
        sourceLocation: SourceLocation = #_sourceLocation
    ) {
        let missing = vocabulary.subtracting(seen).subtracting(unused).sorted()
        #expect(missing.isEmpty, "neither seen nor listed: \(missing)", sourceLocation: sourceLocation)
        let listedInVain = vocabulary.intersection(seen).intersection(unused).sorted()
        #expect(listedInVain.isEmpty, "listed, and seen all the same: \(listedInVain)", sourceLocation: sourceLocation)
    }
}
