import AsyncHTTPClient
import PerennialCommandSupport

/// One run of the demo, from the start to the last comparison.
struct DemoSession: Sendable {
    /// How a run ended.
    enum Outcome: Sendable {
        case finished(DemoReport)
        /// By Ctrl-C or another stop signal.
        case interrupted
        /// The output is no longer read.
        case unread
        case failed(any Error)
    }

    /// 5 January 2026, 09:00 UTC: fixed, so that a run can be repeated.
    static let startsAt: Int64 = 1_767_603_600_000
    /// How long a restart of the server may take.
    private static let retryWindow = DemoHTTP.RetryWindow.upTo(.seconds(30))

    let stack: DemoStack
    let client: HTTPClient
    let plan: DemoPlay.Plan
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
                return .unread
            }
            group.addTask { await play(staying: staying) }
            let first = await group.next() ?? nil
            group.cancelAll()
            return first ?? .interrupted
        }
    }

    private func play(staying: Bool) async -> Outcome {
        do {
            let addresses = try await stack.start()
            return try await withThrowingTaskGroup(of: DemoReport?.self) { group in
                group.addTask {
                    try await stack.supervise()
                    return nil
                }
                group.addTask { try await sell(addresses, staying: staying) }
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

    private func sell(_ addresses: DemoStack.Addresses, staying: Bool) async throws -> DemoReport {
        let clock = ContinuousClock()
        let start = clock.now
        let store = DemoStoreAPI(http: http(addresses.store, bearer: nil, retryWindow: .none))
        let server = DemoServerAPI(http: http(addresses.server, bearer: stack.secretKey, retryWindow: Self.retryWindow))
        let guide = DemoGuide(addresses: addresses, secretKey: stack.secretKey)
        if staying { progress.show(guide.addressesText) }
        var play = DemoPlay(plan: plan, store: store, server: server)
        var report = try await sellMonths(&play)
        report.seconds = (clock.now - start).tenthsOfSeconds
        guard staying else { return report }
        var customers: [DemoGuide.Customer] = []
        for shopper in play.known {
            let account = try await store.account(shopper.accountID)
            customers.append(DemoGuide.Customer(shopper: shopper, account: account))
        }
        var cast: [(id: String, answer: DemoAnswer)] = []
        for member in play.cast.members {
            cast.append((member.appUserID, DemoAnswer(customer: try await server.customer(member.appUserID))))
        }
        progress.show(guide.customersText(customers, cast: cast, report: report))
        // Until Ctrl-C.
        while true { try await clock.sleep(for: .seconds(3600)) }
    }

    private func sellMonths(_ play: inout DemoPlay) async throws -> DemoReport {
        let audit = DemoAudit(store: play.store, server: play.server, progress: progress)
        var report = DemoReport(accounts: plan.accounts)
        try await play.prepare()
        for week in 0..<plan.weeks {
            try await play.playWeek(week)
            progress.update("week \(week + 1) of \(plan.weeks), customers \(play.known.count)")
            let month = (week + 1) * plan.months / plan.weeks
            guard month > week * plan.months / plan.weeks else { continue }
            try await play.letFaultsEnd()
            try await letDeliveriesFinishWhereSomeFailed(&play)
            try await audit.compare(play.known, &report)
            progress.log(
                "month \(month): \(play.known.count) customers, \(report.withAccess) with access, "
                    + "\(report.disagreements) disagreements"
            )
            try await play.letFaultsBegin()
        }
        try await play.letFaultsEnd()
        report.faults = play.faultsStruck
        try await play.letDeliveriesFinish()
        try await letDeliveriesFinishWhereSomeFailed(&play)
        try await play.finishCast()
        try await audit.compare(play.known, &report)
        try await audit.compareNotifications(&report)
        return report
    }

    /// After an outage of the server, its notifications arrive with the next attempts, as from Apple.
    private func letDeliveriesFinishWhereSomeFailed(_ play: inout DemoPlay) async throws {
        for _ in 0..<10 {
            if await stack.hasRestartedSinceLastAsked() { play.noteFailedDelivery() }
            guard play.hasFailedDeliveries else { return }
            if !plan.hasFaults { progress.log("the server was unavailable: waiting for the next delivery attempts") }
            try await play.letDeliveriesFinish()
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
