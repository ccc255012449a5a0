import ArgumentParser
import PerennialCommandSupport
import SubscriptionCore
import SubscriptionOperations
import SubscriptionStorage

/// `perennial operators change`: changes a person's role, apps or state.
struct OperatorChangeCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "change",
        abstract: "Change a person's role or apps, or disable or enable the person.",
        discussion: """
            Running servers notice it within \(KnownKeys.trustedFor.components.seconds) seconds. Disabling ends all \
            sessions; keys work again after --enable.
            """
    )

    @OptionGroup var target: NamedOperatorOptions

    @Option(help: "viewer, support, operator or admin.")
    var role: OperatorRole?

    @Option(
        help: ArgumentHelp(
            "An app that the person may work with, instead of the present ones. May be repeated.",
            valueName: "bundle-id/environment"
        )
    )
    var app: [String] = []

    @Flag(help: "All apps, also later ones.")
    var allApps = false

    @Flag(help: "Refuse the person's sign-in, sessions and keys.")
    var disable = false

    @Flag(help: "Accept the person again.")
    var enable = false

    func validate() throws {
        try OperatorApps.check(app)
        guard role != nil || !app.isEmpty || allApps || disable || enable else {
            throw ValidationError("Give what to change: --role, --app, --all-apps, --disable or --enable.")
        }
        if allApps, !app.isEmpty { throw ValidationError("Give --app or --all-apps.") }
        if disable, enable { throw ValidationError("Give --disable or --enable.") }
    }

    func run() async throws {
        var change = OperatorAdministration.Change(role: role)
        if allApps { change.apps = .some(nil) }
        if let apps = OperatorApps.apps(app) { change.apps = apps }
        if disable || enable { change.isDisabled = disable }
        try await target.database.run { operators in
            try await operators.change(target.name, change, by: Operator("perennial operators change"))
        }
    }
}

/// `perennial operators unlock`: ends a lock after failed sign-ins.
struct OperatorUnlockCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "unlock",
        abstract: "End a person's lock after failed sign-ins."
    )

    @OptionGroup var target: NamedOperatorOptions

    func run() async throws {
        try await target.database.run { operators in
            try await operators.unlock(target.name, by: Operator("perennial operators unlock"))
        }
    }
}

/// `perennial operators remove`: removes a person.
struct OperatorRemoveCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "remove",
        abstract: "Remove a person with all keys and sessions. The audit log keeps the name.",
        discussion:
            "Running servers accept the keys for at most \(KnownKeys.trustedFor.components.seconds) more seconds."
    )

    @OptionGroup var target: NamedOperatorOptions

    func run() async throws {
        try await target.database.run { operators in
            try await operators.remove(target.name, by: Operator("perennial operators remove"))
        }
    }
}
