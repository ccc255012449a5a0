import AsyncHTTPClient
import PerennialCommandSupport

/// One run of the demo, from the start to the last comparison.
struct DemoSession: Sendable {
    /// How a run ended.
    enum Outcome: Sendable {
        case finished(DemoReport)
        /// By Ctrl-C or another stop signal.
        case interrupted
        /// Standard output was closed.
        case outputClosed
        case failed(any Error)
    }

    /// 5 January 2026, 09:00 UTC: fixed, so that a run can be repeated.
    static let startsAt: Int64 = 1_767_603_600_000
    /// How long a restart of the server may take.
    private static let retryWindow = DemoHTTP.RetryWindow.upTo(.seconds(30))

    let stack: DemoStack
    let client: HTTPClient
    let plan: DemoSimulation.Plan
    let progress: Progress

    /// Runs the simulation while both programs are supervised, until it is done, a signal arrives, or the output is
    /// closed.
    ///
    /// - Parameters:
    ///   - staying: Whether it keeps running afterwards, for interactive use.
    ///   - signals: Yields an element when the program must end.
    func run(staying: Bool, signals: AsyncStream<Void>) async -> Outcome {
        await withTaskGroup(of: Outcome?.self) { group in
            group.addTask {
                for await _ in signals { break }
                return .interrupted
            }
            group.addTask {
                await ClosedOutput.wait()
                return .outputClosed
            }
            group.addTask { await runPrograms(staying: staying) }
            let first = await group.next() ?? nil
            group.cancelAll()
            return first ?? .interrupted
        }
    }

    private func runPrograms(staying: Bool) async -> Outcome {
        do {
            let addresses = try await stack.start()
            return try await withThrowingTaskGroup(of: DemoReport?.self) { group in
                group.addTask {
                    try await stack.supervise()
                    return nil
                }
                group.addTask { try await simulate(addresses, staying: staying) }
                defer { group.cancelAll() }
                while let report = try await group.next() {
                    if let report { return .finished(report) }
                }
                return .interrupted
            }
        } catch {
            return .failed(error)
        }
    }

    private func simulate(_ addresses: DemoStack.Addresses, staying: Bool) async throws -> DemoReport {
        let clock = ContinuousClock()
        let start = clock.now
        let store = DemoStoreAPI(http: http(addresses.store, bearer: nil, retryWindow: .none))
        let server = DemoServerAPI(http: http(addresses.server, bearer: stack.secretKey, retryWindow: Self.retryWindow))
        let guide = DemoGuide(addresses: addresses, secretKey: stack.secretKey)
        if staying { progress.show(guide.addressesText) }
        var simulation = DemoSimulation(plan: plan, store: store, server: server)
        let receiver = DemoReceiver(seed: plan.seed)
        var report = try await WebhookReceiver.use(answer: receiver.take) { endpoint, url in
            let made = try await server.addWebhook(url)
            endpoint.verify(with: made.secret)
            var report = try await simulateMonths(&simulation)
            try await finishWebhooks(of: made.id, receiver, &simulation, &report)
            try await server.removeWebhook(made.id)
            return report
        }
        report.seconds = (clock.now - start).tenthsOfSeconds
        guard staying else { return report }
        var customers: [DemoGuide.Customer] = []
        for shopper in simulation.known {
            let account = try await store.account(shopper.accountID)
            customers.append(DemoGuide.Customer(shopper: shopper, account: account))
        }
        var examples: [(id: String, answer: DemoAnswer)] = []
        for example in simulation.examples.customers {
            examples.append((example.appUserID, DemoAnswer(customer: try await server.customer(example.appUserID))))
        }
        progress.show(guide.customersText(customers, examples: examples, report: report))
        // Until Ctrl-C.
        while true { try await clock.sleep(for: .seconds(3600)) }
    }

    /// The history of the sandbox goes back 30 days.
    private static let gapMilliseconds: Int64 = 28 * 86_400_000
    private static let hour: Int64 = 3_600_000
    private static let webhookHoursMax = 96
    private static let differencesShown = 20

    private func simulateMonths(_ simulation: inout DemoSimulation) async throws -> DemoReport {
        let check = DemoLedgerCheck(store: simulation.store, server: simulation.server, progress: progress)
        var report = DemoReport(accounts: plan.accounts)
        try await simulation.prepare()
        for week in 0..<plan.weeks {
            try await simulation.simulateWeek(week)
            progress.update("week \(week + 1) of \(plan.weeks), customers \(simulation.known.count)")
            let month = (week + 1) * plan.months / plan.weeks
            guard month > week * plan.months / plan.weeks else { continue }
            try await simulation.stopFaults()
            try await finishFailedDeliveries(&simulation)
            try await check.compare(simulation.known, &report)
            progress.log(
                "month \(month): \(simulation.known.count) customers, \(report.withAccess) with access, "
                    + "\(report.disagreements) disagreements"
            )
            try await simulation.startFaults()
        }
        try await simulation.stopFaults()
        try await simulation.finishDeliveries()
        try await finishFailedDeliveries(&simulation)
        try await DemoOutage(server: simulation.server, check: check, progress: progress).run(&simulation, &report)
        try await finishFailedDeliveries(&simulation)
        report.faults = simulation.faultCounts
        try await simulation.finishExamples()
        try await check.compare(simulation.known, &report)
        try await check.compareNotifications(&report)
        let now = try await simulation.store.status().now
        report.gapReport = try await simulation.server.recoveryWindow(from: now - Self.gapMilliseconds, to: now)
        return report
    }

    /// Lets the receiver recover, until it got everything, and compares what it got with the feed.
    private func finishWebhooks(
        of endpoint: String,
        _ receiver: DemoReceiver,
        _ simulation: inout DemoSimulation,
        _ report: inout DemoReport
    ) async throws {
        receiver.recover()
        // The longest wait before a retry is a day.
        for _ in 0..<Self.webhookHoursMax {
            guard try await !simulation.server.hasDelivered(endpoint) else { break }
            try await simulation.advance(by: Self.hour)
        }
        let (webhooks, differences) = receiver.compare(with: try await simulation.server.feed())
        report.webhooks = webhooks
        report.disagreements += differences.count
        for difference in differences.prefix(Self.differencesShown) { progress.log("webhooks: \(difference)") }
    }

    /// After an outage of the server, its notifications arrive with the next attempts, as from Apple.
    private func finishFailedDeliveries(_ simulation: inout DemoSimulation) async throws {
        for _ in 0..<10 {
            if await stack.hasRestartedSinceLastCall() { simulation.recordFailedDelivery() }
            guard simulation.hasFailedDeliveries else { return }
            if !plan.hasFaults { progress.log("the server was unavailable: waiting for the next delivery attempts") }
            try await simulation.finishDeliveries()
        }
    }

    private func http(_ baseURL: String, bearer: String?, retryWindow: DemoHTTP.RetryWindow) -> DemoHTTP {
        DemoHTTP(client: client, baseURL: baseURL, bearer: bearer, retryWindow: retryWindow)
    }
}

extension Duration {
    /// Seconds, rounded down to a tenth.
    fileprivate var tenthsOfSeconds: Double {
        Double(components.seconds) + Double(components.attoseconds / 100_000_000_000_000_000) / 10
    }
}
