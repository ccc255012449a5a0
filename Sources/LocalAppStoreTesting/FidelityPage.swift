import Foundation

/// The part of `Documentation/reference/fidelity.md` with the names that the store never uses.
package struct FidelityPage {
    /// The page has no such part.
    package struct Incomplete: Error {}

    /// Names that are listed as never used.
    private let unused: Set<String>

    /// Reads the page of this checkout.
    ///
    /// - Throws: ``Incomplete``; errors of Foundation if the page does not exist.
    package init(file: String = #filePath) throws {
        let folder = URL(fileURLWithPath: file).deletingLastPathComponent()
        let page = folder.appending(path: "../../Documentation/reference/fidelity.md").standardized
        let text = try String(contentsOf: page, encoding: .utf8)
        let section = text.components(separatedBy: "\n## ").first { $0.hasPrefix("Names that the store never uses\n") }
        guard let section else { throw Incomplete() }
        let rows = section.split(separator: "\n").filter { $0.hasPrefix("|") }
        let cells = rows.compactMap { $0.split(separator: "|").first }
        unused = Set(
            cells.flatMap { cell in
                cell.split(separator: "`", omittingEmptySubsequences: false).enumerated()
                    .filter { !$0.offset.isMultiple(of: 2) }.map { String($0.element) }
            }
        )
    }

    /// The names that are neither used nor listed, or both; empty if the page is correct.
    package func contradictions(seen: Set<String>, of vocabulary: Set<String>) -> [String] {
        vocabulary.subtracting(seen).subtracting(unused).sorted().map { "neither seen nor listed: \($0)" }
            + vocabulary.intersection(seen).intersection(unused).sorted().map { "listed, and seen all the same: \($0)" }
    }
}
