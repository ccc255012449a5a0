import PerennialSimulation
import SubscriptionCore
import SubscriptionStorage
import SubscriptionStorageTesting
import Synchronization

/// A defect of a server or its database, and the invariant that it breaks.
///
/// The simulations that show it have one customer, `a0`, and no faults.
enum Defect: String, CaseIterable, Sendable {
    case accessOfEndedSubscriptions, noAccess, inputStoredAgain, versionGoesBack, eventSkipped, eventRepeated
    case errorWithoutCause, notificationRefused, renewalTurnedOff, chargeThatTheStoreDoesNotHave
    case grantEnded, grantNeverEnds

    /// The notification that is never stored.
    private final class Refusal: Sendable {
        let id = Mutex<EvidenceID?>(nil)
    }

    private static let app = AppID(bundleID: "com.example.perennial", environment: .production)
    private static let customer = CustomerID("a0")
    /// The beginning of a simulation.
    private static let start: Int64 = 1_769_850_000_000
    /// The days of a simulation after the last action.
    private static let settlingDays: Int64 = 2

    var invariant: SimulationFailure.Invariant {
        switch self {
        case .accessOfEndedSubscriptions, .grantNeverEnds: .accessWithoutEvidence
        case .noAccess, .grantEnded: .accessTaken
        case .inputStoredAgain: .storedTwice
        case .versionGoesBack, .eventSkipped: .eventsOutOfOrder
        case .eventRepeated: .revenueDiffers
        case .errorWithoutCause: .unexpectedError
        case .notificationRefused: .gapAtTheEnd
        case .renewalTurnedOff: .ledgerDiffers
        case .chargeThatTheStoreDoesNotHave: .ledgerRevenueDiffers
        }
    }

    /// The database with the defect.
    ///
    /// - Parameter days: The days of the simulation.
    func database(days: Int) -> any SubscriptionDatabase {
        let end = Timestamp(milliseconds: Self.start + (Int64(days) + Self.settlingDays) * 86_400_000)
        let refusal = Refusal()
        if self == .eventSkipped { return SkippingDatabase(base: InMemoryDatabase()) }
        return DamagingDatabase(base: InMemoryDatabase()) { storage throws(StorageError) in
            switch self {
            case .eventSkipped: break
            case .accessOfEndedSubscriptions: try Self.setAccess(true, in: storage)
            case .noAccess: try Self.setAccess(false, in: storage)
            case .grantEnded:
                try Self.changeGrants(in: storage) { $0.revokedAt = $0.grantedAt }
            case .grantNeverEnds:
                try Self.changeGrants(in: storage) { $0.revokedAt = nil }
            case .renewalTurnedOff:
                try Self.changeSubscriptions(in: storage) { $0.autoRenew = false }
            case .inputStoredAgain:
                guard var input = try Self.inputs(storage).first?.record else { return }
                input.id = EvidenceID("notification:another")
                _ = try storage.insert(input)
            case .versionGoesBack:
                guard var customer = try storage.customer(Self.customer, of: Self.app), customer.stateVersion > 1,
                    var event = try Self.charge(storage)
                else { return }
                customer.stateVersion = 0
                (event.price, event.proceeds) = (nil, nil)
                try Self.append(event, customer: customer, storage)
            case .eventRepeated:
                guard let event = try Self.charge(storage) else { return }
                try Self.append(event, customer: nil, storage)
            case .chargeThatTheStoreDoesNotHave: try Self.appendCharge(in: storage)
            case .errorWithoutCause:
                guard try Self.inputs(storage).count > 5 else { return }
                throw StorageError(.failed, "A defect of the test.", isRetryable: false)
            case .notificationRefused:
                try Self.refuse(refusal, until: end, in: storage)
            }
        }
    }

    private static func inputs(_ storage: any StorageWriting) throws(StorageError) -> [SequencedEvidence] {
        try storage.evidence(of: app, after: 0, limit: 1_000)
    }

    /// The first event with a price.
    private static func charge(_ storage: any StorageWriting) throws(StorageError) -> SubscriptionEvent? {
        try storage.events(of: app, after: 0, limit: 100).map(\.event).first { ($0.price?.milliunits ?? 0) > 0 }
    }

    private static func append(
        _ event: SubscriptionEvent,
        customer: CustomerRecord?,
        _ storage: any StorageWriting
    ) throws(StorageError) {
        try storage.append([event], customer: customer, recordedAt: event.occurredAt, app: app)
    }

    private static func changeSubscriptions(
        in storage: any StorageWriting,
        _ change: (inout SubscriptionState) -> Void
    ) throws(StorageError) {
        for var record in try storage.purchases(of: customer, app: app) {
            guard case .subscription(var state)? = record.state else { continue }
            change(&state)
            record.state = .subscription(state)
            try storage.save(record, of: app)
        }
    }

    private static func changeGrants(
        in storage: any StorageWriting,
        _ change: (inout Grant) -> Void
    ) throws(StorageError) {
        for record in try storage.grants(of: customer, app: app) {
            var grant = record.state.grant
            change(&grant)
            guard grant != record.state.grant else { continue }
            try storage.save(GrantRecord(customerID: customer, state: grant.state(at: grant.grantedAt)), of: app)
        }
    }

    private static func setAccess(_ givesAccess: Bool, in storage: any StorageWriting) throws(StorageError) {
        try changeSubscriptions(in: storage) { state in
            guard state.givesAccess != givesAccess else { return }
            state.givesAccess = givesAccess
            // Time alone does not correct it.
            state.nextChangeAt = nil
        }
    }

    /// Appends one charge more than there was, while the comparison with the signed transactions does not apply: two
    /// paid periods of a subscription overlap.
    private static func appendCharge(in storage: any StorageWriting) throws(StorageError) {
        guard let event = try charge(storage) else { return }
        let payloads = [
            // Without a price, of the original transaction x, from 0 to 20 and from 10 to 30.
            "eyJvcmlnaW5hbFRyYW5zYWN0aW9uSWQiOiJ4IiwidHJhbnNhY3Rpb25JZCI6IngwIiwic2lnbmVkRGF0ZSI6MSwicHVyY2hhc2VEYXRl"
                + "IjowLCJleHBpcmVzRGF0ZSI6MjAsInByaWNlIjowfQ",
            "eyJvcmlnaW5hbFRyYW5zYWN0aW9uSWQiOiJ4IiwidHJhbnNhY3Rpb25JZCI6IngxIiwic2lnbmVkRGF0ZSI6MSwicHVyY2hhc2VEYXRl"
                + "IjoxMCwiZXhwaXJlc0RhdGUiOjMwLCJwcmljZSI6MH0",
        ]
        var isNew = false
        for (number, payload) in payloads.enumerated() {
            let input = EvidenceRecord(
                appID: app,
                id: EvidenceID("transaction:x\(number)"),
                kind: .transaction,
                signedAt: event.occurredAt,
                receivedAt: event.occurredAt,
                signedBytes: Array("e30.\(payload).e30".utf8)
            )
            isNew = try storage.insert(input)
        }
        if isNew { try append(event, customer: nil, storage) }
    }

    /// Refuses the fourth notification: it seems to be locked until the last comparison, and damaged then.
    private static func refuse(
        _ refusal: Refusal,
        until end: Timestamp,
        in storage: any StorageWriting
    ) throws(StorageError) {
        let notifications = try inputs(storage).map(\.record).filter { $0.kind == .notification }
        let chosen = refusal.id.withLock { id in
            if id == nil, notifications.count > 3 { id = notifications[3].id }
            return id
        }
        guard let input = notifications.first(where: { $0.id == chosen }) else { return }
        let isLast = input.receivedAt >= end
        throw StorageError(isLast ? .corrupt : .busy, "A defect of the test.", isRetryable: !isLast)
    }
}
