import AppStoreModel
import HTTPTypes
import Hummingbird
import LocalAppStore

/// Injected faults: `GET` and `PUT /_store/faults`.
struct StoreFaultsController: Sendable {
    let coordinator: StoreCoordinator

    func addRoutes(to routes: inout RouteTable) {
        routes.get("/_store/faults", faults)
        routes.put("/_store/faults", replaceFaults)
    }

    @Sendable private func faults(_ request: Request, _ context: StoreContext) async throws -> Response {
        .json(await coordinator.read { $0.faults }.json)
    }

    /// Replaces all faults; `{}` removes every fault.
    @Sendable private func replaceFaults(_ request: Request, _ context: StoreContext) async throws -> Response {
        let fields = try await request.fields(["seed", "deliveries", "api", "realtime"])
        let seed = try fields.integer("seed").map { UInt64(bitPattern: $0) }
        let deliveries = try (fields.objects("deliveries", known: FaultFields.deliveryMembers) ?? []).map { rule in
            FaultRule(
                try FaultFields.deliveryFault(rule),
                target: try FaultFields.notificationType(rule),
                frequency: try FaultFields.frequency(rule)
            )
        }
        let calls = try (fields.objects("api", known: FaultFields.apiMembers) ?? []).map { rule in
            FaultRule(
                try FaultFields.apiFault(rule),
                target: try rule.choice("endpoint", of: AppStoreServerCall.Identifier.self),
                frequency: try FaultFields.frequency(rule)
            )
        }
        let requests = try (fields.objects("realtime", known: FaultFields.realtimeMembers) ?? []).map { rule in
            FaultRule(
                try FaultFields.realtimeFault(rule),
                target: try rule.choice("purpose", of: RealtimePurpose.self),
                frequency: try FaultFields.frequency(rule)
            )
        }
        let plan = await coordinator.read { store in
            let seed = seed ?? store.configuration.seed
            store.replaceFaults(FaultPlan(deliveries: deliveries, calls: calls, realtime: requests, seed: seed))
            return store.faults
        }
        return .json(plan.json)
    }
}

/// Reads one rule of `PUT /_store/faults`.
private enum FaultFields {
    static let deliveryMembers: Set<String> = [
        "fault", "notificationType", "probability", "count", "by", "milliseconds", "status",
    ]
    static let apiMembers: Set<String> = [
        "fault", "endpoint", "probability", "count", "by", "milliseconds", "retryable",
    ]

    static let realtimeMembers: Set<String> = [
        "fault", "purpose", "probability", "count", "milliseconds", "status",
    ]

    /// A kind of fault, and the member with its parameter.
    private protocol FaultKind: RawRepresentable<String> {
        var member: String? { get }
    }

    private enum DeliveryKind: String, CaseIterable, FaultKind {
        case drop, delay, duplicate, reorder, truncate, slow, status, reset

        var member: String? {
            switch self {
            case .delay: "by"
            case .slow: "milliseconds"
            case .status: "status"
            case .drop, .duplicate, .reorder, .truncate, .reset: nil
            }
        }
    }

    /// Realtime requests are not delayed, because a customer is waiting: a late answer equals a lost one.
    private enum RealtimeKind: String, CaseIterable, FaultKind {
        case drop, duplicate, truncate, slow, status, reset

        var member: String? {
            switch self {
            case .slow: "milliseconds"
            case .status: "status"
            case .drop, .duplicate, .truncate, .reset: nil
            }
        }
    }

    private enum APIKind: String, CaseIterable, FaultKind {
        case rateLimit = "rate_limit"
        case serverError = "server_error"
        case timeout
        case malformedBody = "malformed_body"

        var member: String? {
            switch self {
            case .rateLimit: "by"
            case .serverError: "retryable"
            case .timeout: "milliseconds"
            case .malformedBody: nil
            }
        }
    }

    /// The maximum real delay: after a minute every client has timed out.
    private static let millisecondsRange: ClosedRange<Int64> = 1...60_000
    private static let millisecondsDefault: Int64 = 1_000
    private static let statusRange: ClosedRange<Int64> = 100...599
    private static let statusDefault: Int64 = 503
    private static let countRange: ClosedRange<Int64> = 1...1_000_000_000

    /// The kind of a fault. A member of another kind is refused, because it shows a mistake.
    private static func kind<Kind: FaultKind & CaseIterable>(
        _ fields: RequestFields,
        of: Kind.Type
    ) throws(StoreCallError) -> Kind {
        let kind = try fields.requiredChoice("fault", of: Kind.self)
        let members = Set(Kind.allCases.compactMap(\.member))
        for member in members.sorted() where member != kind.member && fields.hasValue(member) {
            let path = fields.path(to: member)
            let faults = Kind.allCases.filter { $0.member == member }.map(\.rawValue).joined(separator: ", ")
            let message = "\(path) is for the fault \(faults), and this is \(kind.rawValue): leave it out"
            throw .invalid("field_not_applicable", message, path: path)
        }
        return kind
    }

    static func deliveryFault(_ fields: RequestFields) throws(StoreCallError) -> DeliveryFault {
        switch try kind(fields, of: DeliveryKind.self) {
        case .drop: .drop
        case .delay: .delay(try fields.duration("by") ?? .hours(1))
        case .duplicate: .duplicate
        case .reorder: .reorder
        case .truncate: .truncate
        case .slow: .slow(milliseconds: try milliseconds(fields))
        case .status: .status(try status(fields))
        case .reset: .reset
        }
    }

    static func realtimeFault(_ fields: RequestFields) throws(StoreCallError) -> DeliveryFault {
        switch try kind(fields, of: RealtimeKind.self) {
        case .drop: .drop
        case .duplicate: .duplicate
        case .truncate: .truncate
        case .slow: .slow(milliseconds: try milliseconds(fields))
        case .status: .status(try status(fields))
        case .reset: .reset
        }
    }

    static func apiFault(_ fields: RequestFields) throws(StoreCallError) -> APIFault {
        switch try kind(fields, of: APIKind.self) {
        case .rateLimit: .rateLimit(try fields.duration("by") ?? .hours(1))
        case .serverError: .serverError(isRetryable: try fields.bool("retryable") ?? true)
        case .timeout: .timeout(milliseconds: try milliseconds(fields))
        case .malformedBody: .malformedBody
        }
    }

    static func notificationType(_ fields: RequestFields) throws(StoreCallError) -> NotificationType? {
        guard let text = try fields.string("notificationType") else { return nil }
        let type = NotificationType(rawValue: text)
        guard type.isDocumented else {
            let known = NotificationType.documented.map(\.rawValue).joined(separator: ", ")
            let path = fields.path(to: "notificationType")
            throw .invalid("unknown_value", "\(path) must be one of \(known)", path: path)
        }
        return type
    }

    /// Every time, unless a probability or a count is given.
    static func frequency(_ fields: RequestFields) throws(StoreCallError) -> FaultFrequency {
        let count = try fields.integer("count", in: countRange)
        guard let probability = try fields.number("probability") else {
            return count.map { .count(Int($0)) } ?? .probability(1)
        }
        let path = fields.path(to: "probability")
        guard count == nil else {
            throw .invalid("ambiguous_frequency", "give a probability or a count, not both", path: path)
        }
        guard (0...1).contains(probability) else {
            throw .invalid("out_of_range", "\(path) must be from 0 to 1", path: path)
        }
        return .probability(probability)
    }

    private static func status(_ fields: RequestFields) throws(StoreCallError) -> Int {
        Int(try fields.integer("status", in: statusRange) ?? statusDefault)
    }

    private static func milliseconds(_ fields: RequestFields) throws(StoreCallError) -> Int64 {
        try fields.integer("milliseconds", in: millisecondsRange) ?? millisecondsDefault
    }
}

extension FaultPlan {
    fileprivate var json: JSONObject {
        [
            "deliveries": .array(deliveries.map { .object($0.json("notificationType", $0.fault.json)) }),
            "api": .array(calls.map { .object($0.json("endpoint", $0.fault.json)) }),
            "realtime": .array(realtime.map { .object($0.json("purpose", $0.fault.json)) }),
        ]
    }
}

extension FaultRule where Target: RawRepresentable, Target.RawValue == String {
    fileprivate func json(_ targetKey: String, _ fault: JSONObject) -> JSONObject {
        var json = fault
        if let target { json[targetKey] = .string(target.rawValue) }
        switch frequency {
        case .probability(let probability): json["probability"] = .decimal("\(probability)")
        case .count(let left): json["count"] = .integer(Int64(left))
        }
        json["happened"] = .integer(Int64(happened))
        return json
    }
}

extension DeliveryFault {
    fileprivate var json: JSONObject {
        switch self {
        case .drop: ["fault": "drop"]
        case .delay(let time): ["fault": "delay", "by": .string(time.iso8601)]
        case .duplicate: ["fault": "duplicate"]
        case .reorder: ["fault": "reorder"]
        case .truncate: ["fault": "truncate"]
        case .slow(let milliseconds): ["fault": "slow", "milliseconds": .integer(milliseconds)]
        case .status(let status): ["fault": "status", "status": .integer(Int64(status))]
        case .reset: ["fault": "reset"]
        }
    }
}

extension APIFault {
    fileprivate var json: JSONObject {
        switch self {
        case .rateLimit(let time): ["fault": "rate_limit", "by": .string(time.iso8601)]
        case .serverError(let isRetryable): ["fault": "server_error", "retryable": .bool(isRetryable)]
        case .timeout(let milliseconds): ["fault": "timeout", "milliseconds": .integer(milliseconds)]
        case .malformedBody: ["fault": "malformed_body"]
        }
    }
}
