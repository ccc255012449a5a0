public import SubscriptionCore
public import SubscriptionStorage

/// How often charges are refunded: refunds of a time by product, storefront or reason, beside the charges of that time.
///
/// Refunds count in the time when the money was returned, charges in the time when they were made. So a rate of a short
/// time is about different charges than its refunds. Charges are counted in the event feed, which is read in pages;
/// memory grows with the number of groups only.
public struct RefundRates: Sendable {
    /// What refunds are grouped by.
    public enum Grouping: String, Hashable, Sendable, CaseIterable {
        /// The product.
        case product
        /// The storefront of the transaction.
        case storefront
        /// The store's reason.
        case reason
    }

    /// What is asked for.
    public struct Request: Hashable, Sendable {
        /// The start of the time, inclusive.
        public var from: Timestamp
        /// The end of the time, exclusive.
        public var to: Timestamp
        /// What refunds are grouped by.
        public var grouping: Grouping

        /// Makes a request.
        public init(from: Timestamp, to: Timestamp, by grouping: Grouping) {
            self.from = from
            self.to = to
            self.grouping = grouping
        }
    }

    /// The refunds with one product, storefront or reason.
    public struct Group: Hashable, Sendable {
        /// The product, storefront or reason; nil if it is not known.
        public var key: String?
        /// The refunds.
        public var counts = RefundCounts()
        /// The number of refunds that stand, by the reason that the customer gave in a request; only by reason.
        public var requestReasons: [String: Int] = [:]
        /// The number of charges with a price above zero; nil by reason.
        public var charges: Int?
    }

    /// The groups.
    public struct Report: Hashable, Sendable {
        /// The groups: most refunds first, then by key.
        public var groups: [Group]
        /// Whether refunds from before this version had tables of refunds are included.
        public var isComplete: Bool
    }

    /// The limits of one report, which bound its time.
    public struct Limits: Hashable, Sendable {
        /// The maximum number of refunds and of events that are read.
        public var rows = 1_000_000
        /// The maximum number of charges whose storefront is looked up.
        public var lookups = 200_000
        /// The number of rows of a page.
        public var page = 1_000

        /// Makes the default limits.
        public init() {}
    }

    /// How much earlier than a charge its event may be recorded, by clocks that differ.
    private static let clockMilliseconds: Int64 = 86_400_000
    /// How long after the end of the time a charge may become known and still counts.
    ///
    /// - Units: milliseconds.
    static let lateMilliseconds: Int64 = 30 * 86_400_000

    private let database: any SubscriptionDatabase
    private let limits: Limits

    /// Makes the use case.
    public init(database: any SubscriptionDatabase, limits: Limits = Limits()) {
        self.database = database
        self.limits = limits
    }

    /// Counts the refunds of a time.
    ///
    /// - Throws: ``OperationError`` `range_too_long`, or storage's codes.
    public func report(_ request: Request, app: AppID) async throws(OperationError) -> Report {
        var groups: [String?: Group] = [:]
        try await countRefunds(request, app: app, in: &groups)
        if request.grouping != .reason { try await countCharges(request, app: app, in: &groups) }
        let isComplete = try await read { storage throws(StorageError) in
            try storage.refundProgress(of: app).isFilled
        }
        return Report(groups: groups.values.sorted { $0.precedes($1) }, isComplete: isComplete)
    }

    private func countRefunds(
        _ request: Request,
        app: AppID,
        in groups: inout [String?: Group]
    ) async throws(OperationError) {
        var selection = RefundSelection(from: request.from, to: request.to)
        var rows = 0
        while true {
            let page = try await read { [selection, limits] storage throws(StorageError) in
                let refunds = try storage.refunds(selection, of: app, limit: limits.page)
                guard request.grouping == .reason else { return RefundPage(refunds: refunds) }
                let purchases = Set(refunds.map(\.purchaseID)).sorted()
                return RefundPage(
                    refunds: refunds,
                    requests: Array(try storage.requestedRefunds(of: purchases, app: app).joined())
                )
            }
            rows += page.refunds.count
            guard rows <= limits.rows else { throw .rangeTooLong }
            for refund in page.refunds {
                let key = refund.key(by: request.grouping)
                var group = groups[key] ?? Group(key: key, charges: request.grouping == .reason ? nil : 0)
                group.counts.add(refund)
                if refund.reversedAt == nil, let reason = page.reason(of: refund) {
                    group.requestReasons[reason, default: 0] += 1
                }
                groups[key] = group
            }
            guard let last = page.refunds.last, page.refunds.count == limits.page else { return }
            selection.last = RefundSelection.Position(last)
        }
    }

    /// Counts the charges in the feed. An event is recorded after what it reports, so the beginning is searched by the
    /// time of recording.
    private func countCharges(
        _ request: Request,
        app: AppID,
        in groups: inout [String?: Group]
    ) async throws(OperationError) {
        let start = request.from.adding(milliseconds: -Self.clockMilliseconds)
        let end = request.to.adding(milliseconds: Self.lateMilliseconds)
        var sequence = try await read { storage throws(StorageError) in
            try storage.lastEvent(recordedBefore: start, of: app)
        }
        var events = 0
        var isAfterEnd = false
        var lookups = 0
        while true {
            let page = try await read { [sequence, limits] storage throws(StorageError) in
                try storage.charges(request, of: app, after: sequence, limit: limits.page)
            }
            guard let last = page.last else { return }
            // The time after the end has a limit of its own.
            if last.recordedAt >= request.to, !isAfterEnd { (isAfterEnd, events) = (true, 0) }
            events += page.events
            if request.grouping == .storefront { lookups += page.keys.count }
            guard events <= limits.rows, lookups <= limits.lookups else { throw .rangeTooLong }
            for key in page.keys {
                var group = groups[key] ?? Group(key: key)
                group.charges = (group.charges ?? 0) + 1
                groups[key] = group
            }
            guard last.recordedAt < end else { return }
            sequence = last.sequence
        }
    }

    private func read<Result: Sendable>(
        _ body: @escaping @Sendable (any StorageReading) throws(StorageError) -> Result
    ) async throws(OperationError) -> Result {
        do { return try await database.read(body) } catch { throw OperationError(error) }
    }
}

/// A page of refunds, with the requests for them where they are needed.
private struct RefundPage: Sendable {
    var refunds: [Refund]
    var requests: [RequestedRefund] = []

    func reason(of refund: Refund) -> String? {
        requests.first { $0.purchaseID == refund.purchaseID && $0.transactionID == refund.transactionID }?.reason
    }
}

/// The charges in a page of events.
private struct ChargePage: Sendable {
    /// The group of each charge.
    var keys: [String?] = []
    /// The number of events that were read.
    var events = 0
    /// The last event; nil at the end of the feed.
    var last: (sequence: Int64, recordedAt: Timestamp)?
}

extension RefundRates.Group {
    fileprivate func precedes(_ other: RefundRates.Group) -> Bool {
        let (mine, theirs) = (counts.granted + counts.reversed, other.counts.granted + other.counts.reversed)
        if mine != theirs { return mine > theirs }
        guard let key else { return false }
        return other.key.map { key < $0 } ?? true
    }
}

extension Refund {
    fileprivate func key(by grouping: RefundRates.Grouping) -> String? {
        switch grouping {
        case .product: productID.rawValue
        case .storefront: storefront
        case .reason: reasonName
        }
    }
}

extension SubscriptionEvent {
    /// Whether it reports a charge that the customer paid for in a time.
    fileprivate func isCharge(in request: RefundRates.Request) -> Bool {
        guard request.from <= occurredAt, occurredAt < request.to, let price, price.milliunits > 0 else { return false }
        switch kind {
        case .started, .resubscribed, .upgraded, .renewed, .recovered, .seatsAdded, .purchaseMade: return true
        default: return false
        }
    }
}

extension StorageReading {
    /// The sequence number of the last event that was recorded before a time; 0 if none was. It is found by halving,
    /// because events are recorded in order.
    fileprivate func lastEvent(recordedBefore time: Timestamp, of app: AppID) throws(StorageError) -> Int64 {
        var low: Int64 = 0
        var high = try lastEvent(of: app)
        while low < high {
            let middle = low + (high - low) / 2
            // Sequence numbers have no gaps.
            guard let event = try events(of: app, after: middle, limit: 1).first else { return low }
            if event.recordedAt < time { low = event.sequence } else { high = middle }
        }
        return low
    }

    /// The charges in a page of events.
    fileprivate func charges(
        _ request: RefundRates.Request,
        of app: AppID,
        after sequence: Int64,
        limit: Int
    ) throws(StorageError) -> ChargePage {
        let records = try events(of: app, after: sequence, limit: limit)
        let charges = records.map(\.event).filter { $0.isCharge(in: request) }
        var page = ChargePage(events: records.count)
        page.last = records.last.map { ($0.sequence, $0.recordedAt) }
        guard request.grouping == .storefront else {
            page.keys = charges.map { $0.productID?.rawValue }
            return page
        }
        let purchases = Set(charges.compactMap(\.purchaseID)).sorted()
        var storefronts: [TransactionID: String] = [:]
        try forEachLedger(of: purchases, app: app) { ledger in
            for fact in ledger.timeline { storefronts[fact.id] = fact.storefront }
        }
        page.keys = charges.map { charge in charge.transactionID.flatMap { storefronts[$0] } }
        return page
    }
}

extension OperationError {
    fileprivate static let rangeTooLong = OperationError(
        "range_too_long",
        "There is too much in this time for one answer. Ask for a shorter time, with from and to.",
        kind: .invalidRequest,
        parameter: "from"
    )
}
