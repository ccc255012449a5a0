import ArgumentParser
import Testing

@testable import PerennialCommands

/// A mistyped command is reported, with a suggestion.
@Suite struct `Unknown commands` {
    /// Every command and subcommand, as its command-line words.
    private static let paths: [[String]] = {
        func below(_ command: any ParsableCommand.Type, _ path: [String]) -> [[String]] {
            command.configuration.subcommands.flatMap { next in
                let words = path + [UnknownCommand.name(of: next)]
                return [words] + below(next, words)
            }
        }
        return below(Perennial.self, [])
    }()

    @Test func `no command is reported as a mistake, and the parser uses the same names`() {
        #expect(Self.paths.count >= 25)
        for path in Self.paths {
            #expect(UnknownCommand(in: path, of: Perennial.self) == nil, "\(path)")
            #expect(throws: Never.self, "\(path)") { _ = try Perennial.parseAsRoot(path + ["--help"]) }
        }
    }

    @Test func `a missing, doubled or swapped letter is reported with an existing command`() throws {
        for path in Self.paths {
            let name = try #require(path.last)
            let siblings = Set(Self.paths.filter { $0.count == path.count }.compactMap(\.last))
            for position in name.indices {
                var typed = name
                typed.remove(at: position)
                for wrong in [typed, String(name[..<position] + "q" + name[name.index(after: position)...])]
                where !siblings.contains(wrong) {
                    guard !wrong.isEmpty, !wrong.hasPrefix("-") else { continue }
                    let unknown = try #require(UnknownCommand(in: path.dropLast() + [wrong], of: Perennial.self))
                    #expect(
                        unknown.message.contains("has no command \"\(wrong)\". Did you mean "),
                        "\(unknown.message)"
                    )
                }
            }
        }
    }

    @Test func `options, files and dissimilar words are ignored or reported with the list`() throws {
        #expect(UnknownCommand(in: ["decode", "serv"], of: Perennial.self) == nil)
        #expect(UnknownCommand(in: ["--version"], of: Perennial.self) == nil)
        #expect(UnknownCommand(in: ["help", "serve"], of: Perennial.self) == nil)
        // The argument of the default command; a misspelt command is reported.
        for folder in ["backup", "./database1", "database-2026-01-31", "/var/backup"] {
            #expect(UnknownCommand(in: ["import", folder], of: Perennial.self) == nil)
        }
        #expect(UnknownCommand(in: ["import", "subscriber"], of: Perennial.self) != nil)
        let far = try #require(UnknownCommand(in: ["xylophone"], of: Perennial.self))
        #expect(!far.message.contains("Did you mean") && far.message.contains("Commands: demo, serve, store"))
        let nested = try #require(UnknownCommand(in: ["keys", "creat"], of: Perennial.self))
        #expect(nested.message.hasPrefix("perennial keys has no command \"creat\". Did you mean \"create\"?"))
    }
}
