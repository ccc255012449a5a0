import ArgumentParser
import PerennialCommandSupport
import SubscriptionOperations
import SubscriptionStorage

/// `perennial operators add`: adds a person.
struct OperatorAddCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "add",
        abstract: "Add a person, with a password and one-time codes, or with a key.",
        discussion: """
            Asks for a password and prints the secret of the one-time codes once, as an otpauth:// address and in \
            Base32. With --key it prints a key instead.
            """
    )

    @Argument(help: ArgumentHelp("One line of 1 to 60 characters. Case does not count.", valueName: "name"))
    var name: String

    @Option(help: "viewer, support, operator or admin.")
    var role: OperatorRole

    @Option(
        help: ArgumentHelp(
            "An app that the person may work with; all apps without it. May be repeated.",
            valueName: "bundle-id/environment"
        )
    )
    var app: [String] = []

    @Flag(help: "Read the password from standard input instead of the terminal.")
    var passwordStdin = false

    @Flag(help: "Make a key for scripts instead of a sign-in.")
    var key = false

    @OptionGroup var keyOptions: OperatorKeyOptions

    @OptionGroup var database: OperatorDatabaseOptions

    func validate() throws {
        try OperatorApps.check(app)
        if key, passwordStdin { throw ValidationError("Give --password-stdin or --key.") }
        if !key, keyOptions.expiresIn != nil || keyOptions.label != nil {
            throw ValidationError("--expires-in and --label need --key.")
        }
    }

    func run() async throws {
        let who = Operator("perennial operators add")
        let apps = OperatorApps.apps(app)
        guard !key else {
            let text = try await database.run { operators in
                try await operators.add(name, role: role, apps: apps, key: keyOptions.draft, by: who)
            }
            StandardOutput.printLine(text)
            return
        }
        let password = try PasswordInput.newPassword(isPiped: passwordStdin)
        let enrolment = try await database.run { operators in
            try await operators.add(name, role: role, apps: apps, password: password, by: who)
        }
        OperatorText.print(enrolment)
    }
}

/// `perennial operators reset`: gives a person a new password and new one-time codes.
struct OperatorResetCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "reset",
        abstract: "Give a person a new password and new one-time codes, and end all sessions.",
        discussion: "For a lost phone or a forgotten password. A lock ends, keys stay valid."
    )

    @OptionGroup var target: NamedOperatorOptions

    @Flag(help: "Read the password from standard input instead of the terminal.")
    var passwordStdin = false

    func run() async throws {
        let password = try PasswordInput.newPassword(isPiped: passwordStdin)
        let enrolment = try await target.database.run { operators in
            try await operators.reset(target.name, password: password, by: Operator("perennial operators reset"))
        }
        OperatorText.print(enrolment)
    }
}
