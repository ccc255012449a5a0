public import ArgumentParser
import PerennialCommandSupport

/// `perennial bench copy`: an export of a database, and its import into another.
public struct BenchCopyCommand: AsyncParsableCommand {
    /// Name and help.
    public static let configuration = CommandConfiguration(
        commandName: "copy",
        abstract: "Export a database and import it into another, relative to a plain copy of the files.",
        discussion: """
            The source is filled first; that is not measured. Each signed input has about 1 KB that cannot be \
            compressed. Everything runs in this process.
            """
    )

    @OptionGroup var output: BenchOptions

    @Option(help: "The number of signed inputs in the source; it has twice as many other rows.")
    var inputs = 200_000

    @Option(
        help: ArgumentHelp(
            "The source, which must be empty (default: a temporary SQLite file).",
            valueName: "sqlite:path|postgres://…"
        )
    )
    var from: String?

    @Option(
        help: ArgumentHelp(
            "The target, which must be empty (default: a temporary SQLite file).",
            valueName: "sqlite:path|postgres://…"
        )
    )
    var to: String?

    /// Makes the command.
    public init() {}

    /// Refuses invalid parameters.
    public func validate() throws {
        guard (1_000...100_000_000).contains(inputs) else {
            throw ValidationError("--inputs must be from 1000 to 100000000.")
        }
    }

    /// Measures and prints.
    public func run() async throws {
        let benchmark = CopyBenchmark(
            inputs: inputs,
            source: from.map(EmptyDatabase.init),
            target: to.map(EmptyDatabase.init)
        )
        BenchOutput.show(try await benchmark.run(), asJSON: output.json)
    }
}
