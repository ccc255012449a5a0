import ArgumentParser
import PerennialCommandSupport

/// The database of the measured server.
struct MeasuredDatabaseOptions: ParsableArguments {
    @OptionGroup var databaseOption: EmptyDatabaseOption

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
    var given: EmptyDatabase? { databaseOption.given }

    /// The given program.
    var fillProgram: FillProgram? { fill.map(FillProgram.init) }

    func validate() throws {
        guard fill == nil || given != nil else { throw ValidationError("--fill needs --database.") }
    }
}
