extension LocalAppStore {
    private static let populationAccountsMax = 5_000_000
    private static let populationMonthsMax = 120

    /// Adds synthetic customers and their purchase histories.
    ///
    /// Each customer has a random generator seeded by the request and the customer's number. Equal requests on equal
    /// catalogues give equal histories.
    ///
    /// - Parameters:
    ///   - request: The population.
    ///   - part: The customers to add now, by number; all of them when `nil`. Adding it in parts
    ///     allows the caller to answer other requests between them.
    /// - Throws: `population_invalid`, `product_not_found` if the catalogue has no subscription, `signing_failed`.
    public mutating func populate(
        _ request: PopulationRequest,
        part: Range<Int>? = nil
    ) throws(StoreError) -> PopulationReport {
        try check(request)
        let part = part ?? 0..<request.accounts
        let months = CalendarPeriod(months: request.months)
        let before = status
        let span =
            request.isDelivered ? now..<months.added(to: now) : months.added(to: now, times: -1)..<now
        if request.isDelivered {
            expect(part, of: request, in: span)
        } else {
            if part.lowerBound == 0 { ledger.reserve(accounts: request.accounts) }
            play(part, of: request, in: span)
        }
        try settle()
        return PopulationReport(
            accounts: ledger.accounts.count - before.accounts,
            subscriptions: ledger.subscriptions.count - before.subscriptions,
            transactions: ledger.transactions.count - before.transactions,
            endDate: span.upperBound
        )
    }

    /// Schedules the arrival of customers for future times.
    private mutating func expect(_ part: Range<Int>, of request: PopulationRequest, in span: Range<Int64>) {
        for number in part {
            var shopper = SyntheticShopper(request, number: number, until: span.upperBound)
            let arrival = shopper.generator.integer(from: span.lowerBound, to: span.upperBound)
            schedule.push(.customer(customers.count), dueAt: arrival)
            customers.append(shopper)
        }
    }

    /// Simulates one customer after another up to the present, without notifications.
    ///
    /// Customers are independent, so each uses the clock alone. Their future events join the store's schedule.
    private mutating func play(_ part: Range<Int>, of request: PopulationRequest, in span: Range<Int64>) {
        let present = now
        var presentSchedule = DueQueue<ScheduledEvent>()
        var presentShoppers = RecordList<SyntheticShopper>()
        swap(&schedule, &presentSchedule)
        swap(&customers, &presentShoppers)
        isSilent = true
        for number in part {
            var shopper = SyntheticShopper(request, number: number, until: span.upperBound)
            let arrival = shopper.generator.integer(from: span.lowerBound, to: span.upperBound)
            customers.removeAll()
            customers.append(shopper)
            schedule.push(.customer(0), dueAt: arrival)
            now = arrival
            while let entry = schedule.pop(dueAtOrBefore: present) {
                guard isCurrent(entry.item) else { continue }
                now = max(now, entry.dueAt)
                run(entry.item)
            }
            while let entry = schedule.first {
                if isCurrent(entry.item) { presentSchedule.push(entry.item, dueAt: entry.dueAt) }
                schedule.removeFirst()
            }
        }
        isSilent = false
        now = present
        swap(&schedule, &presentSchedule)
        swap(&customers, &presentShoppers)
    }

    private func check(_ request: PopulationRequest) throws(StoreError) {
        guard (1...Self.populationAccountsMax).contains(request.accounts) else {
            throw Self.invalidPopulation("accounts", "from 1 to \(Self.populationAccountsMax)")
        }
        guard (1...Self.populationMonthsMax).contains(request.months) else {
            throw Self.invalidPopulation("months", "from 1 to \(Self.populationMonthsMax)")
        }
        for (name, share) in request.behaviour.shares where !(0...1).contains(share) {
            throw Self.invalidPopulation("behaviour.\(name)", "from 0 to 1")
        }
        guard catalog.products.values.contains(where: { $0.terms != nil }) else {
            let message = "The catalogue has no subscription for a population."
            throw StoreError(.productNotFound, message, kind: .unprocessable)
        }
    }

    private static func invalidPopulation(_ path: String, _ range: String) -> StoreError {
        StoreError(.populationInvalid, "\(path) must be \(range).", path: path)
    }
}
