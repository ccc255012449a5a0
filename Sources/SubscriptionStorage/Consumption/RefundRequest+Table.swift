import SubscriptionCore

extension RefundRequest: TableRecord {
    static let byPurchase = TableIndex(
        "refund_requests_by_purchase",
        ["purchase_id", "requested_at", "request_id"]
    )
    static let byCheck = TableIndex(
        "refund_requests_by_check",
        ["check_at", "request_id"],
        omitsNullsOf: "check_at"
    )
    static let byTime = TableIndex("refund_requests_by_time", ["requested_at", "request_id"])

    /// The table. Writes lock the purchase, as the facts of a purchase do.
    public static let table = TableDescription(
        "refund_requests",
        columns: [
            .text("request_id"), .text("purchase_id"), .text("transaction_id"), .text("product_id"),
            .text("reason", optional: true), .integer("requested_at"), .text("state"),
            .integer("check_at", optional: true), .integer("attempts"), .text("answer", optional: true),
            .integer("rule", optional: true), .flag("answered_by_hook"), .integer("version", optional: true),
            .integer("settled_at", optional: true), .text("failure_code", optional: true),
            .text("failure_message", optional: true), .text("outcome", optional: true),
            .integer("decided_at", optional: true),
            // What was known when the server decided.
            .text("kind", optional: true), .text("ownership", optional: true),
            .integer("purchased_at", optional: true), .flag("consents", optional: true),
            .text("delivery", optional: true), .integer("percentage", optional: true),
            .flag("sample_provided", optional: true), .integer("account_created_at", optional: true),
            .integer("payments_before", optional: true), .integer("refunds_before", optional: true),
            .integer("requests_before", optional: true), .text("paid", optional: true),
            .text("refunded", optional: true),
        ],
        key: ["request_id"],
        indexes: [byTime, byCheck, byPurchase],
        lock: .purchase("purchase_id"),
        isOftenEmpty: true,
        step: 21
    )

    /// The values of the columns, in the order of the table.
    public var columns: [ColumnValue] {
        let answered: [ColumnValue] = [
            .text(id), .text(purchaseID), .text(transactionID), .text(productID), .text(reason), .time(requestedAt),
            .text(state), .time(checkAt), .integer(attempts), .text(answer), .integer(rule), .flag(isAnsweredByHook),
            .integer(version), .time(settledAt), .text(failure?.code), .text(failure?.message), .text(outcome),
            .time(decidedAt),
        ]
        let spending = facts?.spending
        let known: [ColumnValue] = [
            .text(facts?.kind), .text(facts?.ownership), .time(facts?.purchasedAt), .flag(facts?.consents),
            .text(facts?.delivery), .integer(facts?.percentage), .flag(facts?.sampleProvided),
            .time(facts?.accountCreatedAt), .integer(spending?.payments), .integer(spending?.refunds),
            .integer(facts?.requestsBefore), .text(spending?.paid.countsText), .text(spending?.refunded.countsText),
        ]
        return answered + known
    }

    /// Reads a row.
    ///
    /// - Throws: ``StorageError`` with `storage_corrupt` if a value is invalid.
    public init(row: some ColumnReading) throws(StorageError) {
        self.init(
            id: try row.identifier(0),
            purchaseID: try row.identifier(1),
            transactionID: try row.identifier(2),
            productID: try row.identifier(3),
            reason: try row.optionalText(4),
            requestedAt: try row.time(5)
        )
        state = try row.choice(6)
        checkAt = try row.optionalTime(7)
        attempts = try row.count(8)
        answer = try row.optionalChoice(9)
        rule = try row.optionalCount(10)
        isAnsweredByHook = try row.flag(11)
        version = try row.optionalCount(12)
        settledAt = try row.optionalTime(13)
        failure = try row.optionalFailure(14)
        outcome = try row.optionalChoice(16)
        decidedAt = try row.optionalTime(17)
        facts = try facts(in: row)
    }

    private func facts(in row: some ColumnReading) throws(StorageError) -> ConsumptionFacts? {
        guard let kind: ProductKind = try row.optionalChoice(18) else { return nil }
        var facts = ConsumptionFacts(
            productID: productID,
            kind: kind,
            ownership: try row.choice(19),
            purchasedAt: try row.time(20),
            requestedAt: requestedAt,
            reason: reason
        )
        facts.consents = try row.optionalFlag(21)
        facts.delivery = try row.optionalChoice(22)
        facts.percentage = try row.optionalCount(23)
        facts.sampleProvided = try row.optionalFlag(24)
        facts.accountCreatedAt = try row.optionalTime(25)
        facts.spending.payments = try row.count(26)
        facts.spending.refunds = try row.count(27)
        facts.requestsBefore = try row.count(28)
        facts.spending.paid = try [String: Int](countsText: row.text(29))
        facts.spending.refunded = try [String: Int](countsText: row.text(30))
        return facts
    }
}
