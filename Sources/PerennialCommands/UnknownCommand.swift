import ArgumentParser
import PerennialCommandSupport
import SubscriptionServer

/// A word on the command line where a command belongs, and none has that name.
struct UnknownCommand {
    /// How many letters may be wrong in what is still suggested.
    private static let distanceMax = 2

    /// What is wrong, and which command was probably meant.
    let message: String

    /// Finds the first such word; nil where each is a command, or the parser is to judge.
    init?(in arguments: [String], of root: any ParsableCommand.Type) {
        var path = [Self.name(of: root)]
        var command = root
        for word in arguments {
            let subcommands = command.configuration.subcommands
            guard !subcommands.isEmpty, !word.hasPrefix("-"), word != "help" else { return nil }
            guard let next = subcommands.first(where: { Self.name(of: $0) == word }) else {
                let names = subcommands.map(Self.name)
                let meant = Self.nearest(to: word, in: names).map { "Did you mean \"\($0)\"? " } ?? ""
                message =
                    "\(path.joined(separator: " ")) has no command \"\(TerminalText.harmless(word))\". \(meant)"
                    + "Commands: \(names.joined(separator: ", "))."
                return
            }
            path.append(word)
            command = next
        }
        return nil
    }

    /// The name on the command line; the parser's own choice where a command gives none.
    static func name(of command: any ParsableCommand.Type) -> String {
        command.configuration.commandName ?? String(describing: command).lowercased()
    }

    private static func nearest(to word: String, in names: [String]) -> String? {
        let word = word.lowercased()
        if word.utf8.count > 2, let longer = names.first(where: { $0.hasPrefix(word) || word.hasPrefix($0) }) {
            return longer
        }
        // Of long words the distance says enough; it is not worked out for a file that was pasted.
        guard word.utf8.count <= 64 else { return nil }
        // Of names that are equally near, the one with the same letters is meant: two of them changed places.
        let near = names.map { (name: $0, distance: EditDistance.between($0, word)) }
            .min {
                ($0.distance, $0.name.sorted() == word.sorted() ? 0 : 1) < (
                    $1.distance, $1.name.sorted() == word.sorted() ? 0 : 1
                )
            }
        return near.flatMap { $0.distance <= distanceMax ? $0.name : nil }
    }
}
