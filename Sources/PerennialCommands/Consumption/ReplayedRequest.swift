import AppStoreModel
import SubscriptionCore

/// A past refund request, with what was answered and what another policy answers.
struct ReplayedRequest {
    /// The request of the server.
    let request: JSONObject
    /// What the policy decides; nil if it is not known what the server knew: it had not decided, or its facts were
    /// removed.
    let decision: ConsumptionDecision?

    init(_ request: JSONObject, under policy: ConsumptionPolicy) {
        self.request = request
        decision = ConsumptionFacts(ofRefundRequest: request).map(policy.decision)
    }

    /// What the server sent Apple; `nothing` if it sent nothing.
    var answered: String {
        guard request.text("state") == "answered" else { return "nothing" }
        return request.text("answer") ?? "nothing"
    }

    /// Whether the server had decided, and what it knew was removed: the owner changed, or was erased.
    var lostFacts: Bool { decision == nil && request.text("answer") != nil }

    private static func sentText(_ decision: ConsumptionDecision) -> String {
        switch decision.outcome {
        case .send: decision.sentAnswer.rawValue
        case .withhold: "nothing"
        }
    }

    /// What the policy would send Apple; nil if that is not known.
    var replayed: String? { decision.map(Self.sentText) }

    /// What Apple decided; nil if that is not known.
    var outcome: String? { request["outcome"]?.stringValue }

    /// The request on one line.
    var line: String {
        let rule = decision?.rule.map { "rule \($0)" } ?? "no rule"
        let unknown = lostFacts ? "its facts were removed" : "the server had not decided"
        var other = replayed.map { "\($0) (\(rule))" } ?? "not known: \(unknown)"
        if let decision, case .withhold(let reason) = decision.outcome {
            other = "nothing (\(reason.rawValue); \(rule): \(decision.answer.rawValue))"
        }
        let mark = replayed == nil || replayed == answered ? " " : "*"
        return "\(mark) \(request["id"]?.stringValue ?? "?")  \(request["product_id"]?.stringValue ?? "?")  "
            + "\(request["reason"]?.stringValue ?? "no reason")  was \(answered)  would be \(other)  "
            + "Apple: \(outcome ?? "not known")"
    }

    /// The request as JSON.
    var json: JSONObject {
        var object = JSONObject()
        for name in ["id", "purchase_id", "product_id", "reason", "requested_at"] {
            object[name] = request[name] ?? .null
        }
        object["answered"] = .string(answered)
        object["replayed"] = replayed.map { .string($0) } ?? .null
        object["replayed_rule"] = decision?.rule.map { .integer(Int64($0)) } ?? .null
        if case .withhold(let reason)? = decision?.outcome { object["withheld_because"] = .string(reason.rawValue) }
        object["outcome"] = outcome.map { .string($0) } ?? .null
        return object
    }
}

/// How many requests a policy answers differently.
struct ReplayTally {
    private var count = 0
    private var changed = 0
    private var undecided = 0
    private var withoutFacts = 0
    private var pairs: [String: Int] = [:]

    mutating func add(_ request: ReplayedRequest) {
        count += 1
        guard let replayed = request.replayed else {
            if request.lostFacts { withoutFacts += 1 } else { undecided += 1 }
            return
        }
        if replayed != request.answered { changed += 1 }
        pairs["\(replayed), Apple: \(request.outcome ?? "not known")", default: 0] += 1
    }

    /// The sums, one on a line.
    var lines: [String] {
        let rest = [(undecided, "not decided"), (withoutFacts, "without facts")]
            .map { number, text in number == 0 ? "" : ", \(number) \(text)" }.joined()
        return ["\(count) requests, \(changed) answered differently (*)\(rest)"]
            + pairs.sorted { $0.key < $1.key }.map { "  \($0.value) would be \($0.key)" }
    }
}

extension ConsumptionFacts {
    /// What the server knew about a refund request; nil if it had not decided, or if its facts were removed.
    init?(ofRefundRequest request: JSONObject) {
        guard let facts = request["facts"]?.objectValue,
            let kind = facts["product_type"]?.stringValue.flatMap(ProductKind.init),
            let ownership = facts["ownership"]?.stringValue.flatMap(Ownership.init),
            let product = request["product_id"]?.stringValue,
            let purchasedAt = facts["purchased_at"]?.integerValue,
            let requestedAt = request["requested_at"]?.integerValue
        else { return nil }
        self.init(
            productID: ProductID(product),
            kind: kind,
            ownership: ownership,
            purchasedAt: Timestamp(milliseconds: purchasedAt),
            requestedAt: Timestamp(milliseconds: requestedAt),
            reason: request["reason"]?.stringValue
        )
        consents = facts["customer_consented"]?.boolValue
        delivery = facts["delivery_status"]?.stringValue.flatMap(Delivery.init)
        percentage = facts["consumption_percentage"]?.integerValue.map { Int($0) }
        sampleProvided = facts["sample_content_provided"]?.boolValue
        accountCreatedAt = facts["account_created_at"]?.integerValue.map { Timestamp(milliseconds: $0) }
        spending.payments = Int(facts["payments_before"]?.integerValue ?? 0)
        spending.refunds = Int(facts["refunds_before"]?.integerValue ?? 0)
        requestsBefore = Int(facts["requests_before"]?.integerValue ?? 0)
        spending.paid = Self.amounts(facts["lifetime_spent"])
        spending.refunded = Self.amounts(facts["lifetime_refunded"])
    }

    private static func amounts(_ value: JSONValue?) -> [String: Int] {
        let members = value?.objectValue?.members ?? []
        return Dictionary(members.compactMap { member in member.value.integerValue.map { (member.key, Int($0)) } }) {
            first,
            _ in first
        }
    }
}
