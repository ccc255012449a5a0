import AppStoreModel

/// The history of one subscription, replayed from the ledger up to a time.
struct SubscriptionReplay {
    /// The effect of a subscription at a time.
    enum Condition: Hashable {
        case unsold
        case active
        case gracePeriod
        case billingRetry
        case ended
    }

    /// An event of the reports.
    struct Event {
        let date: Int64
        let event: SalesReportEvent
        let transaction: LedgerIndex<Transaction>
        /// The previous product, for a plan change.
        var previousProductId: String?
        var cancellationReason: String?
        var daysBeforeCanceling: Int64?
        var daysCanceled: Int64?
        let paidPeriods: Int
    }

    /// A payment or a refund.
    struct Payment {
        let date: Int64
        let transaction: LedgerIndex<Transaction>
        /// Thousandths of the currency unit, never negative.
        let amount: Int64
        /// 1 for a payment, -1 for a refund.
        let units: Int
    }

    /// The paid time after which the developer's share rises, milliseconds.
    private static let yearOfService = 365 * Milliseconds.day
    /// The gap after which paid time counts from zero, milliseconds.
    private static let serviceGapMax = 60 * Milliseconds.day

    var condition = Condition.unsold
    /// The newest period.
    var latest: LedgerIndex<Transaction>?
    var events: [Event] = []
    var payments: [Payment] = []
    /// The transactions after a year of paid service.
    var seasoned: Set<LedgerIndex<Transaction>> = []
    /// The times between which the subscription was not ended.
    var lives: [Range<Int64>] = []

    /// The periods that a sale can replace: they have not ended, and no sale has replaced them with a refund.
    private var replaceable: [LedgerIndex<Transaction>] = []
    private var runStart: Int64 = 0
    private var paidPeriods = 0
    private var canceledAt: Int64?
    private var endedAt: Int64?
    private var extensionOfLatest: Int64 = 0
    private var latestCutAt: Int64?
    private var paidService: Int64 = 0
    /// The time until which paid time is counted.
    private var servedUntil = Int64.min
    /// The refunds of each transaction that are not reversed, without its proration at an upgrade and without seats;
    /// thousandths of the currency unit.
    private var refunds: [LedgerIndex<Transaction>: Int64] = [:]
    /// The refunds of some seats of a transaction, which are never reversed; thousandths of the currency unit.
    private var seatRefunds: [LedgerIndex<Transaction>: Int64] = [:]

    /// Replays a subscription.
    ///
    /// - Parameters:
    ///   - index: A subscription that was bought.
    ///   - entries: Its journal entries.
    ///   - store: The store.
    ///   - limit: Later events are left out.
    init(
        _ index: LedgerIndex<Subscription>,
        entries: [SubscriptionJournal.Entry],
        of store: LocalAppStore,
        before limit: Int64
    ) {
        replay(index, entries: entries, of: store, before: limit)
        if isLive { lives.append(runStart..<max(limit, runStart + 1)) }
    }

    private mutating func replay(
        _ index: LedgerIndex<Subscription>,
        entries: [SubscriptionJournal.Entry],
        of store: LocalAppStore,
        before limit: Int64
    ) {
        var rest = entries[...]
        for transaction in store.ledger[store.ledger[index].account].transactions
        where store.ledger[transaction].subscription == index {
            while let entry = rest.first, entry.next.offset <= transaction.offset {
                guard entry.date < limit else { return }
                apply(entry, in: store)
                rest.removeFirst()
            }
            let date = store.ledger.journal.chargeDate(of: store.ledger[transaction])
            guard date < limit else { return }
            sell(transaction, at: date, in: store)
        }
        for entry in rest {
            guard entry.date < limit else { return }
            apply(entry, in: store)
        }
    }

    /// Whether the subscription has not ended.
    var isLive: Bool {
        switch condition {
        case .active, .gracePeriod, .billingRetry: true
        case .unsold, .ended: false
        }
    }

    private mutating func sell(_ index: LedgerIndex<Transaction>, at date: Int64, in store: LocalAppStore) {
        let transaction = store.ledger[index]
        let previous = latest.map { store.ledger[$0] }
        if let previous { noteService(of: previous, before: transaction, in: store) }
        let wasLive = isLive
        if !wasLive {
            runStart = date
            paidPeriods = 0
        }
        if transaction.price > 0 {
            paidPeriods += 1
            payments.append(Payment(date: date, transaction: index, amount: transaction.price, units: 1))
            if paidService >= Self.yearOfService { seasoned.insert(index) }
        }
        let isChange = previous.map { $0.productId != transaction.productId } ?? false
        events.append(
            Event(
                date: date,
                event: store.saleEvent(of: transaction, after: previous, condition: condition),
                transaction: index,
                previousProductId: isChange ? previous?.productId : nil,
                daysCanceled: condition == .ended ? endedAt.map { (date - $0) / Milliseconds.day } : nil,
                paidPeriods: paidPeriods
            )
        )
        replaceable.removeAll { (store.ledger[$0].expiresDate ?? date) <= date }
        for old in replaceable { payBack(old, ifReplacedAt: date, in: store) }
        replaceable.append(index)
        if transaction.reason == .purchase { canceledAt = nil }
        condition = .active
        latest = index
        extensionOfLatest = 0
        latestCutAt = nil
    }

    /// Pays back the rest of a period if a sale has replaced it, once.
    private mutating func payBack(
        _ index: LedgerIndex<Transaction>,
        ifReplacedAt date: Int64,
        in store: LocalAppStore
    ) {
        guard let upgrade = store.ledger.upgrades[index], upgrade.refund > 0,
            upgrade.date < date + Milliseconds.second
        else { return }
        replaceable.removeAll { $0 == index }
        pay(-1, upgrade.refund, of: index, at: date)
    }

    /// Counts the paid time of a period that is followed by another one.
    private mutating func noteService(of previous: Transaction, before next: Transaction, in store: LocalAppStore) {
        let cut = min(store.ledger.upgrades[previous.index]?.date ?? .max, latestCutAt ?? .max)
        let end = previous.expiresDate ?? previous.purchaseDate
        if previous.price > 0 {
            // Several payments for one period overlap.
            let served = min(end - extensionOfLatest, cut, next.purchaseDate)
            paidService += max(0, served - max(previous.purchaseDate, servedUntil))
            servedUntil = max(served, servedUntil)
        }
        if next.purchaseDate - min(end, cut) > Self.serviceGapMax { paidService = 0 }
    }

    private mutating func apply(_ entry: SubscriptionJournal.Entry, in store: LocalAppStore) {
        guard let latest else { return }
        let isIntroductory = store.ledger[latest].offer?.type == .introductory
        switch entry.event {
        case .renewalTurnedOff: canceledAt = entry.date
        case .renewalTurnedOn: canceledAt = nil
        case .chargeFailed(let hasGrace):
            condition = hasGrace ? .gracePeriod : .billingRetry
            let introductory: SalesReportEvent =
                hasGrace ? .gracePeriodFromIntroductoryOffer : .billingRetryFromIntroductoryOffer
            let paid: SalesReportEvent = hasGrace ? .gracePeriodFromPaidSubscription : .billingRetryFromPaidSubscription
            emit(isIntroductory ? introductory : paid, at: entry.date)
        case .graceEnded:
            condition = .billingRetry
            emit(
                isIntroductory ? .billingRetryFromIntroductoryOffer : .billingRetryFromPaidSubscription,
                at: entry.date
            )
        case .ended(let intent): end(intent, at: entry.date)
        case .refunded(let index, let percentage):
            if index == latest { latestCutAt = entry.date }
            let whole = store.ledger.refundableAmount(of: index, at: entry.date) - seatRefunds[index, default: 0]
            refund(LocalAppStore.part(Int(percentage), of: whole), of: index, at: entry.date)
        case .itemsRefunded(let index, let amount, let isRevoked):
            if isRevoked, index == latest { latestCutAt = entry.date }
            refund(amount, of: index, at: entry.date)
        case .seatsRefunded(let index, let amount):
            seatRefunds[index, default: 0] += amount
            emit(.refund, of: index, at: entry.date)
            pay(-1, amount, of: index, at: entry.date)
        case .refundReversed(let index):
            if index == latest { latestCutAt = nil }
            pay(1, refunds.removeValue(forKey: index) ?? 0, of: index, at: entry.date)
            if replaceable.contains(index) { payBack(index, ifReplacedAt: entry.date, in: store) }
        case .continued(let index):
            self.latest = index
            latestCutAt = nil
            extensionOfLatest = 0
            if isLive { condition = .active }
        case .resumed:
            let days = endedAt.map { (entry.date - $0) / Milliseconds.day }
            condition = .active
            runStart = entry.date
            events.append(
                Event(
                    date: entry.date,
                    event: .reactivate,
                    transaction: latest,
                    daysCanceled: days,
                    paidPeriods: paidPeriods
                )
            )
        case .extended(let milliseconds): extensionOfLatest += milliseconds
        case .shared: break
        }
    }

    /// Pays back an amount that a reversal can take back.
    private mutating func refund(_ amount: Int64, of index: LedgerIndex<Transaction>, at date: Int64) {
        emit(.refund, of: index, at: date)
        refunds[index, default: 0] += amount
        pay(-1, amount, of: index, at: date)
    }

    private mutating func end(_ intent: ExpirationIntent?, at date: Int64) {
        guard isLive, let latest else { return }
        let event: SalesReportEvent =
            switch condition {
            case .gracePeriod: .canceledFromBillingGracePeriod
            case .billingRetry: .canceledFromBillingRetry
            default:
                intent == .customerCancelled && extensionOfLatest > 0 ? .canceledAfterRenewalExtension : .cancel
            }
        let isCanceled = intent == .customerCancelled
        events.append(
            Event(
                date: date,
                event: event,
                transaction: latest,
                cancellationReason: Self.reason(of: intent),
                daysBeforeCanceling: isCanceled ? ((canceledAt ?? date) - runStart) / Milliseconds.day : nil,
                paidPeriods: paidPeriods
            )
        )
        lives.append(runStart..<max(date, runStart + 1))
        condition = .ended
        endedAt = date
        // A refund turns renewal off; a reversal does not turn it on.
        canceledAt = canceledAt ?? date
    }

    private static func reason(of intent: ExpirationIntent?) -> String {
        switch intent {
        case ExpirationIntent.customerCancelled: "Canceled"
        case ExpirationIntent.billingError: "Billing issue"
        case ExpirationIntent.priceIncreaseNotConsented: "Price increase"
        case ExpirationIntent.productUnavailable: "Removed from Sale"
        default: "Other"
        }
    }

    private mutating func emit(
        _ event: SalesReportEvent,
        of transaction: LedgerIndex<Transaction>? = nil,
        at date: Int64
    ) {
        guard let transaction = transaction ?? latest else { return }
        events.append(Event(date: date, event: event, transaction: transaction, paidPeriods: paidPeriods))
    }

    private mutating func pay(_ units: Int, _ amount: Int64, of index: LedgerIndex<Transaction>, at date: Int64) {
        guard amount > 0 else { return }
        payments.append(Payment(date: date, transaction: index, amount: amount, units: units))
    }
}
