/// Finds a smaller simulation that breaks the same invariant.
public enum SimulationShrinking {
    /// The maximum number of simulations that are tried.
    private static let attemptsMax = 60

    /// Tries fewer days, actions, faults, customers and servers, and keeps what still fails in the same way.
    ///
    /// - Parameters:
    ///   - report: A report with a failure; another one is returned unchanged.
    ///   - run: Runs a simulation.
    /// - Throws: What `run` throws.
    public static func shrink(
        _ report: SimulationReport,
        run: (SimulationOptions) async throws -> SimulationReport
    ) async throws -> SimulationReport {
        guard let failure = report.failure else { return report }
        var smallest = report
        var attempts = 0
        var isSmaller = true
        while isSmaller {
            isSmaller = false
            for options in candidates(of: smallest) {
                guard attempts < attemptsMax else { return smallest }
                attempts += 1
                let tried = try await run(options)
                guard tried.failure?.invariant == failure.invariant else { continue }
                smallest = tried
                isSmaller = true
                break
            }
        }
        return smallest
    }

    /// Smaller simulations, the smallest first.
    private static func candidates(of report: SimulationReport) -> [SimulationOptions] {
        let options = report.options
        var candidates: [SimulationOptions] = []
        func add(_ change: (inout SimulationOptions) -> Void) {
            var candidate = options
            change(&candidate)
            if candidate != options { candidates.append(candidate) }
        }
        let days = min(options.days, report.failure?.day ?? options.days)
        for fewer in [days / 4, days / 2, days, days - 1] where fewer >= 1 { add { $0.days = fewer } }
        let actions = report.actions
        for fewer in [actions / 4, actions / 2, actions - 1] where fewer >= 1 { add { $0.actionsMax = fewer } }
        for fault in SimulationOptions.Fault.allCases { add { $0.faults.remove(fault) } }
        if options.servers > 1 { add { $0.servers = 1 } }
        if options.customers > 1 {
            add { $0.customers = 1 }
            add { $0.customers -= 1 }
        }
        return candidates
    }
}
