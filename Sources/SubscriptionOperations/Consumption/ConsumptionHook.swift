public import AppStoreClient
package import AppStoreModel
package import SubscriptionCore
package import SubscriptionStorage

/// Asks the developer's backend what to answer to a refund request.
///
/// The request is signed as Standard Webhooks describes: `webhook-id`, `webhook-timestamp` and `webhook-signature`, a
/// HMAC-SHA256 of the three parts of the message.
///
/// - Source: Standard Webhooks specification, 1.0.
public struct ConsumptionHook: Sendable {
    private static let answerBytesMax = 64 << 10

    private let url: String
    private let signing: WebhookSigning
    private let timeout: Duration
    private let transport: any HTTPTransport
    private let time: any TimeSource

    /// Makes a hook.
    ///
    /// - Parameters:
    ///   - url: The address of the backend.
    ///   - secret: `whsec_` and the key in base64, at least 24 bytes.
    ///   - milliseconds: The time for an answer.
    ///   - transport: Sends the request.
    ///   - time: Real time, for the signature.
    /// - Returns: nil if the secret has another form.
    public init?(
        url: String,
        secret: String,
        milliseconds: Int,
        transport: any HTTPTransport,
        time: any TimeSource = SystemTimeSource()
    ) {
        guard let key = WebhookSigning.hmacKey(in: secret) else { return nil }
        self.url = url
        signing = WebhookSigning(key)
        self.transport = transport
        self.time = time
        timeout = .milliseconds(milliseconds)
    }

    /// Whether a text is a secret.
    public static func isSecret(_ text: String) -> Bool { WebhookSigning.hmacKey(in: text) != nil }

    /// What the backend answered.
    struct Answer: Sendable {
        var answer: ConsumptionPolicy.Answer
        /// The facts, with what the backend added.
        var facts: ConsumptionFacts
    }

    /// Asks the backend.
    ///
    /// - Throws: ``OperationError`` `hook_failed`.
    func answer(
        to request: RefundRequest,
        facts: ConsumptionFacts,
        customer: CustomerID?
    ) async throws(OperationError) -> Answer {
        let response: AppStoreHTTPResponse
        do throws(HTTPTransportError) {
            response = try await transport.send(
                signedRequest(about: request, facts, customer),
                timeout: timeout,
                bodyBytesMax: Self.answerBytesMax
            )
        } catch {
            throw .hookFailed("it could not be asked (\(error.code.rawValue))")
        }
        guard response.status == 200 else { throw .hookFailed("it answered with the status \(response.status)") }
        guard let body = try? JSONParser.parseObject(response.body),
            let answer = body["answer"]?.stringValue.flatMap(ConsumptionPolicy.Answer.init)
        else {
            let known = ConsumptionPolicy.Answer.allCases.map(\.rawValue).joined(separator: ", ")
            throw .hookFailed("its answer is not a JSON object with answer: \(known)")
        }
        return Answer(answer: answer, facts: try facts.adding(body))
    }

    private func signedRequest(
        about request: RefundRequest,
        _ facts: ConsumptionFacts,
        _ customer: CustomerID?
    ) -> AppStoreHTTPRequest {
        var event = JSONObject()
        event["type"] = .string("refund_request.decision_needed")
        event["timestamp"] = .integer(request.requestedAt.milliseconds)
        event["data"] = .object(JSONObject(refundRequest: request, facts: facts, customer: customer))
        let body = event.serialize()
        let seconds = time.now().milliseconds / 1_000
        let headers = signing.headers(id: request.id.rawValue, seconds: seconds, body: body, form: .events)
        return AppStoreHTTPRequest(
            method: "POST",
            url: url,
            headers: HTTPHeaders(headers.map { .init($0.name, $0.value) }),
            body: body
        )
    }
}

extension ConsumptionFacts {
    /// The facts with what the backend reports. Members that are absent or null add nothing.
    ///
    /// - Throws: ``OperationError`` `hook_failed` if a value is not possible.
    fileprivate func adding(_ body: JSONObject) throws(OperationError) -> ConsumptionFacts {
        var facts = self
        // A recorded refusal stands.
        let consents = try body.reportedFlag("customer_consented")
        if let consents, facts.consents != false { facts.consents = consents }
        if let provided = try body.reportedFlag("sample_content_provided") { facts.sampleProvided = provided }
        if let value = body.reported("delivery_status") {
            guard let delivery = value.stringValue.flatMap(Delivery.init) else {
                let known = Delivery.allCases.map(\.rawValue).joined(separator: ", ")
                throw .hookFailed("delivery_status in its answer is none of \(known)")
            }
            facts.delivery = delivery
        }
        if let value = body.reported("consumption_percentage") {
            guard let percentage = value.integerValue, (0...Int64(Self.percentageMax)).contains(percentage) else {
                throw .hookFailed(
                    "consumption_percentage in its answer is not a whole number from 0 to \(Self.percentageMax)"
                )
            }
            facts.percentage = Int(percentage)
        }
        return facts
    }
}

extension JSONObject {
    /// A member of the backend's answer; nil if it is absent or null.
    fileprivate func reported(_ name: String) -> JSONValue? {
        guard let value = self[name], value != .null else { return nil }
        return value
    }

    /// A Boolean member of the backend's answer; nil if it is absent or null.
    ///
    /// - Throws: ``OperationError`` `hook_failed`.
    fileprivate func reportedFlag(_ name: String) throws(OperationError) -> Bool? {
        guard let value = reported(name) else { return nil }
        guard let flag = value.boolValue else { throw .hookFailed("\(name) in its answer is not true or false") }
        return flag
    }
}

extension JSONObject {
    /// A refund request, as the backend gets it and as the API shows it.
    package init(refundRequest request: RefundRequest, facts: ConsumptionFacts?, customer: CustomerID? = nil) {
        self.init()
        self["object"] = .string("refund_request")
        self["id"] = .string(request.id.rawValue)
        if let customer { self["app_user_id"] = .string(customer.rawValue) }
        self["purchase_id"] = .string(request.purchaseID.rawValue)
        self["transaction_id"] = .string(request.transactionID.rawValue)
        self["product_id"] = .string(request.productID.rawValue)
        self["reason"] = request.reason.map { .string($0) } ?? .null
        self["requested_at"] = .integer(request.requestedAt.milliseconds)
        self["answer_due_by"] = .integer(request.dueBy.milliseconds)
        self["facts"] = facts.map { .object(JSONObject(consumptionFacts: $0)) } ?? .null
    }

    private init(consumptionFacts facts: ConsumptionFacts) {
        self.init()
        self["product_type"] = .string(facts.kind.rawValue)
        self["ownership"] = .string(facts.ownership.rawValue)
        self["purchased_at"] = .integer(facts.purchasedAt.milliseconds)
        self["customer_consented"] = facts.consents.map { .bool($0) } ?? .null
        self["delivery_status"] = facts.delivery.map { .string($0.rawValue) } ?? .null
        self["consumption_percentage"] = facts.percentage.map { .integer(Int64($0)) } ?? .null
        self["sample_content_provided"] = facts.sampleProvided.map { .bool($0) } ?? .null
        self["account_created_at"] = facts.accountCreatedAt.map { .integer($0.milliseconds) } ?? .null
        self["payments_before"] = .integer(Int64(facts.spending.payments))
        self["refunds_before"] = .integer(Int64(facts.spending.refunds))
        self["requests_before"] = .integer(Int64(facts.requestsBefore))
        self["lifetime_spent"] = .object(JSONObject(amounts: facts.spending.paid))
        self["lifetime_refunded"] = .object(JSONObject(amounts: facts.spending.refunded))
    }

    private init(amounts: [String: Int]) {
        self.init()
        for (currency, amount) in amounts.sorted(by: { $0.key < $1.key }) { self[currency] = .integer(Int64(amount)) }
    }
}

extension OperationError {
    fileprivate static func hookFailed(_ reason: String) -> OperationError {
        OperationError(
            "hook_failed",
            "The backend of consumption.hook_url did not decide: \(reason). The policy decided.",
            kind: .unavailable
        )
    }
}
