import ArgumentParser
import PerennialCommandSupport
import SubscriptionServer

/// The error for an argument that is in the position of a command and is not a command.
struct UnknownCommand {
    /// The maximum edit distance of a suggestion.
    private static let distanceMax = 2

    /// The problem, and the suggested command.
    let message: String

    /// Finds the first such argument; nil if all are commands, or the parser must decide.
    init?(in arguments: [String], of root: any ParsableCommand.Type) {
        var path = [Self.name(of: root)]
        var command = root
        for argument in arguments {
            let subcommands = command.configuration.subcommands
            guard !subcommands.isEmpty, !argument.hasPrefix("-"), argument != "help" else { return nil }
            guard let next = subcommands.first(where: { Self.name(of: $0) == argument }) else {
                let names = subcommands.map(Self.name)
                // With a default command, it is that command's argument, unless it looks like a misspelt command.
                guard command.configuration.defaultSubcommand == nil || Self.isMisspelt(argument, in: names) else {
                    return nil
                }
                let suggestion = Self.nearest(to: argument, in: names).map { "Did you mean \"\($0)\"? " } ?? ""
                message =
                    "\(path.joined(separator: " ")) has no command \"\(TerminalText.escaped(argument))\". \(suggestion)"
                    + "Commands: \(names.joined(separator: ", "))."
                return
            }
            path.append(argument)
            command = next
        }
        return nil
    }

    /// The command-line name; the parser's default if a command sets none.
    static func name(of command: any ParsableCommand.Type) -> String {
        command.configuration.commandName ?? String(describing: command).lowercased()
    }

    private static func isMisspelt(_ argument: String, in names: [String]) -> Bool {
        // For long arguments the length difference is sufficient.
        argument.utf8.count <= 64 && names.contains { EditDistance.between($0, argument) <= distanceMax }
    }

    private static func nearest(to argument: String, in names: [String]) -> String? {
        let typed = argument.lowercased()
        if typed.utf8.count > 2, let longer = names.first(where: { $0.hasPrefix(typed) || typed.hasPrefix($0) }) {
            return longer
        }
        // For long arguments the length difference is sufficient; a pasted file must not be compared.
        guard typed.utf8.count <= 64 else { return nil }
        // Among equally near names, one with the same letters wins: two letters were swapped.
        let near = names.map { (name: $0, distance: EditDistance.between($0, typed)) }
            .min {
                ($0.distance, $0.name.sorted() == typed.sorted() ? 0 : 1) < (
                    $1.distance, $1.name.sorted() == typed.sorted() ? 0 : 1
                )
            }
        return near.flatMap { $0.distance <= distanceMax ? $0.name : nil }
    }
}
