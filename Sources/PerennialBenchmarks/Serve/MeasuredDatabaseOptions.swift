import ArgumentParser
import PerennialCommandSupport

/// The database of the measured server.
struct MeasuredDatabaseOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "The server's database, which must be empty (default: a SQLite file that goes with the benchmark).",
            valueName: "sqlite:path|postgres://…"
        )
    )
    var database: String?

    @Option(
        help: ArgumentHelp(
            """
            Started before anything is measured, while the server is stopped, to put more into the database of \
            --database: its address is in PERENNIAL_DATABASE_URL.
            """,
            valueName: "program"
        )
    )
    var fill: String?

    /// The given database.
    var given: EmptyDatabase? { database.map(EmptyDatabase.init) }

    /// The given program.
    var fillProgram: FillProgram? { fill.map(FillProgram.init) }

    func validate() throws {
        guard fill == nil || database != nil else { throw ValidationError("--fill needs --database.") }
    }
}
