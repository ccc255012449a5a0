public import ArgumentParser
import PerennialCommandSupport
import SubscriptionCore
import SubscriptionOperations
import SubscriptionServer
import SubscriptionStorage

/// `perennial rebuild`: compares derived data with the stored evidence, and repairs it.
public struct RebuildCommand: AsyncParsableCommand {
    /// The name and help of the command.
    public static let configuration = CommandConfiguration(
        commandName: "rebuild",
        abstract: "Derive everything again from the stored evidence, and compare it with what is stored.",
        discussion: """
            Facts, states, due times and owners of purchases are derived again with this version and the server's \
            settings, and so are the index of transactions, the sold products and the counts of unknown \
            notifications. --verify changes nothing. --apply repairs each purchase that differs, in one transaction, \
            and records it in the audit log; it says what it cannot repair. Both may run while the server runs. \
            Signatures are not checked again: a server checks them before it stores an input.

            The exit status is 0 if nothing differs (with --apply: nothing any more), and 1 otherwise.
            """
    )

    @Flag(help: "Print the differences, and change nothing.")
    var verify = false

    @Flag(help: "Repair what differs.")
    var apply = false

    @Flag(help: "Print a JSON object for each difference, and one with the counts at the end, one per line.")
    var json = false

    @OptionGroup var settings: SettingOptions

    /// Makes the command; the parser sets its values.
    public init() {}

    /// Requires a choice, because one of the two changes data.
    public func validate() throws {
        guard verify != apply else { throw ValidationError("Choose --verify or --apply.") }
    }

    /// Compares, or repairs and compares.
    public func run() async throws {
        let configuration = try settings.checked().server
        var output = RebuildOutput(isJSON: json)
        do {
            try DatabaseAddress.requireExisting(configuration.database)
            var options = configuration.databaseOptions
            options.migrates = false
            let database = try await DatabaseAddress.open(configuration.database, options: options)
            do {
                try await run(on: database, configuration.policy, &output)
            } catch {
                try await database.close()
                throw error
            }
            try await database.close()
        } catch let error as StartError {
            let status = error.kind == .configuration ? CommandFailure.Status.wrongConfiguration : .failed
            throw CommandFailure.report("\(error)", status: status)
        } catch let error as StorageError {
            throw CommandFailure.report(error.descriptionToReport, status: .failed)
        } catch let error as OperationError {
            throw CommandFailure.report("\(error.code): \(error.message)", status: .failed)
        }
        output.finish()
        guard output.isEqual else { throw ExitCode.failure }
    }

    private func run(
        on database: any SubscriptionDatabase,
        _ policy: AccessPolicy,
        _ output: inout RebuildOutput
    ) async throws {
        let apps = try await database.read { storage throws(StorageError) in try storage.apps() }.map(\.id)
        let verification = RebuildVerification(database: database, policy: policy)
        if apply {
            let repair = RebuildRepair(database: database, policy: policy, by: Operator("perennial rebuild"))
            var found = 0
            for app in apps {
                found += try await compare(app, verification, &output) { differences, output throws(OperationError) in
                    let result = try await repair.repair(differences, of: app)
                    output.add(result, of: app)
                }.differences
            }
            // What was stored while the repair ran is compared too.
            output.beginAfterRepair(found: found)
        }
        for app in apps {
            let counts = try await compare(app, verification, &output) { _, _ in }
            output.add(counts)
        }
    }

    /// Compares an app, prints its differences, and passes them on.
    private func compare(
        _ app: AppID,
        _ verification: RebuildVerification,
        _ output: inout RebuildOutput,
        then body: ([RebuildDifference], inout RebuildOutput) async throws(OperationError) -> Void
    ) async throws(OperationError) -> RebuildVerification.Summary {
        let progress = output.progress
        return try await verification.verify(app) { counts in
            progress.update("\(app.rawValue): \(counts.inputs) inputs, \(counts.purchases) purchases")
        } report: { differences throws(OperationError) in
            output.show(differences, of: app)
            try await body(differences, &output)
        }
    }
}
