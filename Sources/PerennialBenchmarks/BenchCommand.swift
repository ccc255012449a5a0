public import ArgumentParser
import AppStoreModel

/// `perennial bench`: measures this build on this machine.
public struct BenchCommand: AsyncParsableCommand {
    /// Name, help and subcommands.
    public static let configuration = CommandConfiguration(
        commandName: "bench",
        abstract: "Measure this build on this machine, relative to its basic operations.",
        subcommands: [
            BenchVerifyCommand.self, BenchReceiptsCommand.self, BenchStoreCommand.self, BenchIngestCommand.self,
            BenchReadCommand.self, BenchClaimsCommand.self, BenchRebuildCommand.self, BenchCopyCommand.self,
            BenchRecoveryCommand.self, BenchPollsCommand.self, BenchCampaignCommand.self,
            BenchExtensionsCommand.self,
            BenchWebhooksCommand.self,
        ]
    )

    /// Makes the command.
    public init() {}
}

/// `perennial bench verify`: signed payloads verified per second on one core.
public struct BenchVerifyCommand: ParsableCommand {
    /// Name and help.
    public static let configuration = CommandConfiguration(
        commandName: "verify",
        abstract: "Verify signed transactions and notifications on one core, relative to raw P-256 verifications.",
        discussion: """
            Rates are per second of CPU time of one thread, as medians of alternating rounds. Notifications are \
            verified singly and in batches of sixteen. Certificate chains are verified once and then cached, as in a \
            server. Then two threads that share one verifier are compared with one thread, by wall-clock time and by \
            CPU time. At the end, the memory of many verifications is measured.
            """
    )

    @OptionGroup var output: BenchOptions

    @Option(help: "The number of rounds; each measures everything once.")
    var rounds = 31

    @Option(help: "The number of verified notifications in the memory measurement.")
    var memoryVerifications = 20_000

    /// Makes the command.
    public init() {}

    /// Refuses invalid parameters.
    public func validate() throws {
        guard (1...1000).contains(rounds) else {
            throw ValidationError("--rounds must be from 1 to 1000.")
        }
        guard (1...100_000_000).contains(memoryVerifications) else {
            throw ValidationError("--memory-verifications must be from 1 to 100000000.")
        }
    }

    /// Measures and prints.
    public func run() throws {
        let report = try VerificationBenchmark().run(rounds: rounds, memoryVerifications: memoryVerifications)
        print(output.json ? String(decoding: report.json.serialize(), as: UTF8.self) : report.table)
    }
}

/// `perennial bench receipts`: app receipts read and verified per second on one core.
public struct BenchReceiptsCommand: ParsableCommand {
    /// Name and help.
    public static let configuration = CommandConfiguration(
        commandName: "receipts",
        abstract: "Read and verify an app receipt on one core, relative to swift-asn1's parse of the same bytes.",
        discussion: "Rates are per second of CPU time of one thread, as medians of alternating rounds."
    )

    @OptionGroup var output: BenchOptions

    @Option(help: "The number of rounds.")
    var rounds = 31

    @Option(help: "The number of purchases in the receipt.")
    var purchases = 100

    /// Makes the command.
    public init() {}

    /// Refuses invalid parameters.
    public func validate() throws {
        guard (1...1000).contains(rounds) else {
            throw ValidationError("--rounds must be from 1 to 1000.")
        }
        guard (1...5000).contains(purchases) else {
            throw ValidationError("--purchases must be from 1 to 5000.")
        }
    }

    /// Measures and prints.
    public func run() throws {
        BenchOutput.show(try ReceiptBenchmark(purchases: purchases).run(rounds: rounds), asJSON: output.json)
    }
}

/// `perennial bench store`: populations, deliveries and calls of the local App Store per second.
public struct BenchStoreCommand: AsyncParsableCommand {
    /// Name and help.
    public static let configuration = CommandConfiguration(
        commandName: "store",
        abstract: "Create a silent population, open a data file, deliver notifications, and read Apple's API.",
        discussion: """
            Times are wall-clock times: store, receiver and client run in this process and share its cores. The rate \
            of deliveries is compared with the rate at which one thread makes three raw P-256 signatures. The time to \
            open a data file is compared with the time to read its bytes.
            """
    )

    @OptionGroup var output: BenchOptions

    @Option(help: "Accounts of the silent population, which has no notifications.")
    var accounts = 1_000_000

    @Option(help: "Months of the silent population.")
    var months = 12

    @Option(help: "Accounts of the silent population in the data file that is opened.")
    var openedAccounts = 75_000

    @Option(help: "Monthly subscriptions whose notifications are delivered for 13 months.")
    var subscriptions = 10_000

    @Option(help: "Calls of Get Transaction Info.")
    var reads = 50_000

    /// Makes the command.
    public init() {}

    /// Refuses invalid parameters.
    public func validate() throws {
        guard (1...5_000_000).contains(accounts), (1...120).contains(months) else {
            throw ValidationError("--accounts must be from 1 to 5000000, --months from 1 to 120.")
        }
        guard (1...1_000_000).contains(openedAccounts) else {
            throw ValidationError("--opened-accounts must be from 1 to 1000000.")
        }
        guard (1...1_000_000).contains(subscriptions), (16...10_000_000).contains(reads) else {
            throw ValidationError("--subscriptions must be from 1 to 1000000, --reads from 16 to 10000000.")
        }
    }

    /// Measures and prints.
    public func run() async throws {
        let benchmark = StoreBenchmark(
            accounts: accounts,
            months: months,
            openedAccounts: openedAccounts,
            subscriptions: subscriptions,
            reads: reads
        )
        BenchOutput.show(try await benchmark.run().json, asJSON: output.json)
    }
}
