import ArgumentParser
import PerennialCommandSupport

/// The database of a benchmark.
struct EmptyDatabaseOption: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "The database, which must be empty (default: a temporary SQLite file).",
            valueName: "sqlite:path|postgres://…"
        )
    )
    var database: String?

    /// The given database.
    var given: EmptyDatabase? { database.map(EmptyDatabase.init) }
}
