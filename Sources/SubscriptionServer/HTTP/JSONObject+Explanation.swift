import AppStoreModel
import SubscriptionCore
import SubscriptionOperations

extension JSONObject {
    /// Adds the explanations, if they were requested.
    mutating func addExplanation(of view: CustomerView, for audience: Audience) {
        add("explanation", view.explanations, for: audience)
        add("product_explanation", view.productExplanations, for: audience)
    }

    private mutating func add<ID: TextIdentifier>(
        _ name: String,
        _ explanations: [ID: Explanation],
        for audience: Audience
    ) {
        guard !explanations.isEmpty else { return }
        var object = JSONObject()
        for (id, explanation) in explanations.sorted(by: { $0.key < $1.key }) {
            object[id.rawValue] = .object(JSONObject(explanation: explanation, for: audience))
        }
        self[name] = .object(object)
    }

    private init(explanation: Explanation, for audience: Audience) {
        self.init()
        self["summary"] = .string(explanation.summary)
        self["because"] = .array(explanation.steps.map { .object(JSONObject(step: $0, for: audience)) })
        self["next_change"] =
            explanation.nextChange.map { change in
                var object = JSONObject()
                object["at"] = .integer(change.at.milliseconds)
                object["gives_access"] = .bool(change.givesAccess)
                object["status"] = .text(change.status?.rawValue)
                return .object(object)
            } ?? .null
    }

    private init(step: Explanation.Step, for audience: Audience) {
        self.init()
        switch step.basis {
        case .transaction(let fact): add(fact)
        case .renewal(let fact): add(fact)
        case .status(let fact):
            self["basis"] = .string("status")
            self["status"] = .string(fact.status.rawValue)
            add(signedAt: fact.signedAt, by: fact.evidence)
        case .grant(let grant):
            self["basis"] = .string("grant")
            self["grant_id"] = .string(grant.id.rawValue)
            if audience == .server { self["reason"] = .text(grant.reason) }
            self["granted_at"] = .integer(grant.grantedAt.milliseconds)
        case .rule(let product):
            self["basis"] = .string("rule")
            self["product_id"] = .string(product.rawValue)
        case .policy: self["basis"] = .string("policy")
        case .ownership(let policy):
            self["basis"] = .string("ownership")
            self["transfer_policy"] = .text(policy?.rawValue)
        case .clock(let time):
            self["basis"] = .string("clock")
            self["at"] = .integer(time.milliseconds)
        }
        self["text"] = .string(step.text)
    }

    private mutating func add(_ fact: TransactionFact) {
        self["basis"] = .string("transaction")
        self["transaction_id"] = .string(fact.id.rawValue)
        self["product_id"] = .string(fact.productID.rawValue)
        self["purchased_at"] = .integer(fact.purchasedAt.milliseconds)
        self["expires_at"] = .time(fact.expiresAt)
        self["revoked_at"] = .time(fact.revocation?.at)
        add(signedAt: fact.signedAt, by: fact.evidence)
    }

    private mutating func add(_ fact: RenewalFact) {
        self["basis"] = .string("renewal")
        self["auto_renew"] = .bool(fact.autoRenew)
        self["next_product_id"] = .string(fact.nextProductID.rawValue)
        self["renews_at"] = .time(fact.renewsAt)
        self["grace_expires_at"] = .time(fact.graceExpiresAt)
        add(signedAt: fact.signedAt, by: fact.evidence)
    }

    /// When the store signed it, and the stored input.
    private mutating func add(signedAt: Timestamp, by evidence: EvidenceID) {
        self["signed_at"] = .integer(signedAt.milliseconds)
        self["evidence_id"] = .string(evidence.rawValue)
    }
}
