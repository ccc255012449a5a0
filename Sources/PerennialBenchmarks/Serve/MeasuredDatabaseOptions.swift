import ArgumentParser
import PerennialCommandSupport

/// The database of the measured server.
struct MeasuredDatabaseOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "The server's database, which must be empty (default: a temporary SQLite file).",
            valueName: "sqlite:path|postgres://…"
        )
    )
    var database: String?

    @Option(
        help: ArgumentHelp(
            """
            A program that adds data to the database before the measurement, while the server is stopped. It gets \
            the address in PERENNIAL_DATABASE_URL.
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
