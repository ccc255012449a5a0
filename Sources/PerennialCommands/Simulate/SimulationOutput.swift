import AppStoreModel
import PerennialCommandSupport
import PerennialSimulation

/// Prints the results of simulations.
struct SimulationOutput {
    private let isJSON: Bool
    private let showsTrace: Bool
    private let progress = Progress()
    private var runs = 0
    private var days = 0
    private var inputs = 0
    private var events = 0
    private var checks = 0
    private var faults: [SimulationOptions.Fault: Int] = [:]
    private var last: SimulationReport?
    private var failed: SimulationReport?
    private var smallest: SimulationReport?

    init(isJSON: Bool, showsTrace: Bool) {
        self.isJSON = isJSON
        self.showsTrace = showsTrace
    }

    var isSuccess: Bool { failed == nil }

    mutating func add(_ report: SimulationReport) {
        runs += 1
        days += report.options.days
        inputs += report.inputs
        events += report.events
        checks += report.checks
        faults.merge(report.faults) { $0 + $1 }
        last = report
        progress.update("\(runs) simulations, \(days) days")
    }

    mutating func fail(_ report: SimulationReport, smallest: SimulationReport) {
        failed = report
        self.smallest = smallest
    }

    func finish() {
        if showsTrace, let shown = smallest ?? last { for line in shown.lines { StandardError.printLine(line) } }
        if isJSON {
            StandardOutput.printLine(String(decoding: JSONValue.object(json).serialize(), as: UTF8.self))
            return
        }
        let kinds = SimulationOptions.Fault.allCases.filter { faults[$0] != nil }
        StandardOutput.printLine("simulations  \(runs), \(days) days")
        StandardOutput.printLine("inputs       \(inputs), with \(events) events")
        StandardOutput.printLine(
            "faults       \(kinds.map { "\($0.rawValue) \(faults[$0] ?? 0)" }.joined(separator: ", "))"
        )
        StandardOutput.printLine("checks       \(checks)")
        if runs == 1, let last { StandardOutput.printLine("digest       \(last.digestText)") }
        guard let failed, let smallest else {
            StandardOutput.printLine("All invariants held.")
            return
        }
        StandardOutput.printLine("FAILED       seed \(failed.options.seed): \(failed.failure.map { "\($0)" } ?? "")")
        StandardOutput.printLine("smallest     \(smallest.failure.map { "\($0)" } ?? "")")
        StandardOutput.printLine("Repeat it with: perennial simulate \(smallest.options.arguments) --trace")
    }

    private var json: JSONObject {
        var object = JSONObject()
        object["simulations"] = .integer(Int64(runs))
        object["days"] = .integer(Int64(days))
        object["inputs"] = .integer(Int64(inputs))
        object["events"] = .integer(Int64(events))
        object["checks"] = .integer(Int64(checks))
        var counts = JSONObject()
        for fault in SimulationOptions.Fault.allCases { counts[fault.rawValue] = .integer(Int64(faults[fault] ?? 0)) }
        object["faults"] = .object(counts)
        object["digest"] = runs == 1 ? last.map { .string($0.digestText) } ?? .null : .null
        object["failure"] = failed.map { Self.json(of: $0) } ?? .null
        object["smallest_failure"] = smallest.map { Self.json(of: $0) } ?? .null
        return object
    }

    private static func json(of report: SimulationReport) -> JSONValue {
        var object = JSONObject()
        object["invariant"] = .string(report.failure?.invariant.rawValue ?? "")
        object["message"] = .string(report.failure?.message ?? "")
        object["day"] = .integer(Int64(report.failure?.day ?? 0))
        object["arguments"] = .string(report.options.arguments)
        return .object(object)
    }
}

extension SimulationReport {
    fileprivate var digestText: String { String(digest, radix: 16) }
}
