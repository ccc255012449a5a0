public import ArgumentParser
import Foundation
import PerennialCommandSupport
import PerennialSimulation
import SubscriptionServer
import SubscriptionStorage

/// `perennial simulate`: searches for defects of the server with simulations that a seed determines.
public struct SimulateCommand: AsyncParsableCommand {
    /// The name and help of the command.
    public static let configuration = CommandConfiguration(
        commandName: "simulate",
        abstract: "Run a local App Store, servers and their faults in one process with one virtual clock.",
        discussion: """
            Everything random follows from the seed: customers, crashes, lost and late messages, failures of the \
            database and of Apple's API, and the order of concurrent work. After each commit the invariants are \
            checked. At the end each customer is compared with the store's ledger. The same seed and options repeat a \
            failure exactly.

            The exit status is 0 if every invariant held, and 1 otherwise.
            """
    )

    @Option(help: ArgumentHelp("The first seed.", valueName: "number"))
    var seed: UInt64 = 1

    @Option(help: ArgumentHelp("The number of seeds, one after the other.", valueName: "count"))
    var seeds = 1

    @Option(help: ArgumentHelp("Virtual days in which customers act; two more follow.", valueName: "count"))
    var days = 30

    @Option(help: ArgumentHelp("Customers.", valueName: "count"))
    var customers = 4

    @Option(help: ArgumentHelp("Servers.", valueName: "count"))
    var servers = 2

    @Option(help: ArgumentHelp("Faults that do not happen, separated by commas: \(Self.names).", valueName: "faults"))
    var without: String?

    @Option(help: ArgumentHelp("The maximum number of actions of customers.", valueName: "count"))
    var actions: Int?

    @Option(help: ArgumentHelp("Simulations at the same time; by default the number of cores.", valueName: "count"))
    var jobs: Int?

    @Flag(help: "Print everything that happens.")
    var trace = false

    @Flag(help: "Do not look for a smaller simulation with the same failure.")
    var noShrink = false

    @Flag(help: "Print one JSON object.")
    var json = false

    private static let names = SimulationOptions.Fault.allCases.map(\.rawValue).joined(separator: ", ")

    /// Makes the command; the parser sets its values.
    public init() {}

    /// Refuses numbers below one and unknown faults.
    public func validate() throws {
        for (name, value) in [
            ("--seeds", seeds), ("--days", days), ("--customers", customers), ("--servers", servers),
            ("--actions", actions ?? 1), ("--jobs", jobs ?? 1),
        ] where value < 1 {
            throw ValidationError("\(name) must be at least 1.")
        }
        guard days <= 36_500, customers <= 1_000, servers <= 20, jobs ?? 1 <= 64 else {
            throw ValidationError("At most 36500 days, 1000 customers, 20 servers and 64 jobs are possible.")
        }
        _ = try faults()
    }

    /// Runs the simulations.
    public func run() async throws {
        let runner = try SimulationRunner()
        var output = SimulationOutput(isJSON: json, showsTrace: trace)
        let first = SimulationOptions(
            seed: seed,
            days: days,
            customers: customers,
            servers: servers,
            faults: try faults(),
            actionsMax: actions
        )
        do {
            let jobs = jobs ?? ProcessInfo.processInfo.activeProcessorCount
            let failed = try await runner.run(from: first, seeds: seeds, jobs: jobs) { output.add($0) }
            if let failed {
                let smallest = noShrink ? failed : try await SimulationShrinking.shrink(failed, run: runner.run)
                output.fail(failed, smallest: smallest)
            }
        } catch let error as StartError {
            throw CommandFailure.report("\(error)", status: .failed)
        } catch let error as StorageError {
            throw CommandFailure.report(error.descriptionToReport, status: .failed)
        } catch let error as CocoaError {
            let text = "The folder for temporary files cannot be used (\(error.localizedDescription)). Set TMPDIR."
            throw CommandFailure.report("simulation_not_started: \(text)", status: .failed)
        }
        output.finish()
        guard output.isSuccess else { throw ExitCode.failure }
    }

    private func faults() throws -> Set<SimulationOptions.Fault> {
        var faults = Set(SimulationOptions.Fault.allCases)
        for name in (without ?? "").split(separator: ",") {
            guard let fault = SimulationOptions.Fault(rawValue: String(name)) else {
                throw ValidationError("\"\(name)\" is no fault of --without. Known are \(Self.names).")
            }
            faults.remove(fault)
        }
        return faults
    }
}
