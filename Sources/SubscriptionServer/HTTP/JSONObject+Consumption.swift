import AppStoreModel
import SubscriptionCore
import SubscriptionOperations
import SubscriptionStorage

extension JSONObject {
    /// What was reported about the consumption of a purchase.
    init(consumption report: ConsumptionReport) {
        self.init()
        self["object"] = .string("consumption")
        self["purchase_id"] = .string(report.purchaseID.rawValue)
        self["customer_consented"] = report.consents.map { .bool($0) } ?? .null
        self["delivery_status"] = .text(report.delivery?.rawValue)
        self["consumption_percentage"] = report.percentage.map { .integer(Int64($0)) } ?? .null
        self["sample_content_provided"] = report.sampleProvided.map { .bool($0) } ?? .null
        self["updated_at"] = .integer(report.updatedAt.milliseconds)
    }

    /// A refund request with its answer.
    init(refundRequest request: RefundRequest) {
        self.init(refundRequest: request, facts: request.facts)
        self["state"] = .string(request.state.rawValue)
        self["answer"] = .text(request.answer?.rawValue)
        self["decided_by"] = request.answer == nil ? .null : .string(request.isAnsweredByHook ? "hook" : "policy")
        self["rule"] = request.rule.map { .integer(Int64($0)) } ?? .null
        self["next_try_at"] = .time(request.checkAt)
        self["failed_tries"] = .integer(Int64(request.attempts))
        self["version"] = request.version.map { .integer(Int64($0)) } ?? .null
        self["settled_at"] = .time(request.settledAt)
        self["outcome"] = .text(request.outcome?.rawValue)
        self["decided_at"] = .time(request.decidedAt)
        self["error"] = request.explainedFailure.map { .object(JSONObject(problem: $0)) } ?? .null
    }
}
