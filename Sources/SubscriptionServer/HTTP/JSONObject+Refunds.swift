import AppStoreModel
import PerennialPrimitives
import SubscriptionCore
import SubscriptionOperations
import SubscriptionStorage

extension JSONObject {
    /// A refund in the form of the API.
    init(refund entry: RefundReading.Entry) {
        let refund = entry.refund
        self.init()
        self["object"] = .string("refund")
        self["transaction_id"] = .string(refund.transactionID.rawValue)
        self["purchase_id"] = .string(refund.purchaseID.rawValue)
        self["app_user_id"] = .text(entry.owner?.rawValue)
        self["owner_unreadable"] = .bool(entry.isOwnerUnreadable)
        self["product_id"] = .string(refund.productID.rawValue)
        self["storefront"] = .text(refund.storefront)
        self["purchased_at"] = .integer(refund.purchasedAt.milliseconds)
        self["price"] = refund.price.map { .integer($0.milliunits) } ?? .null
        self["currency"] = .text(refund.price?.currency)
        self["amount"] = refund.amount.map { .integer($0.milliunits) } ?? .null
        self["type"] = .string(refund.revocation.kind.rawValue)
        self["percentage"] = refund.revocation.percentage.map { .integer(Int64($0)) } ?? .null
        self["refunded_at"] = .integer(refund.refundedAt.milliseconds)
        self["reason"] = .text(refund.reasonName)
        self["requested_at"] = .time(entry.request?.requestedAt)
        self["requested_because"] = .text(entry.request?.reason)
        self["reversed_at"] = .time(refund.reversedAt)
    }

    /// What one customer's refunds look like together.
    init(refundsOf pattern: RefundPattern) {
        self.init()
        self["object"] = .string("customer_refunds")
        self["app_user_id"] = .string(pattern.customer.rawValue)
        self["purchases"] = .integer(Int64(pattern.purchases))
        self["charged"] = .integer(Int64(pattern.charges))
        add(pattern.counts, among: pattern.charges)
        self["requested"] = .integer(Int64(pattern.requested))
        self["declined"] = .integer(Int64(pattern.declined))
        self["first_refunded_at"] = .time(pattern.first)
        self["last_refunded_at"] = .time(pattern.last)
    }

    /// The rates of a time.
    init(rates report: RefundRates.Report, of request: RefundRates.Request) {
        self.init()
        self["object"] = .string("refund_rates")
        self["from"] = .integer(request.from.milliseconds)
        self["to"] = .integer(request.to.milliseconds)
        self["by"] = .string(request.grouping.rawValue)
        self["complete"] = .bool(report.isComplete)
        self["data"] = .array(report.groups.map { .object(JSONObject(group: $0, by: request.grouping)) })
    }

    private init(group: RefundRates.Group, by grouping: RefundRates.Grouping) {
        self.init()
        let name =
            switch grouping {
            case .product: "product_id"
            case .storefront: "storefront"
            case .reason: "reason"
            }
        self[name] = .text(group.key)
        self["charged"] = group.charges.map { .integer(Int64($0)) } ?? .null
        add(group.counts, among: group.charges ?? 0)
        guard grouping == .reason else { return }
        var reasons = JSONObject()
        for (reason, count) in group.requestReasons.sorted(by: { $0.key < $1.key }) {
            reasons[reason] = .integer(Int64(count))
        }
        self["requested_because"] = .object(reasons)
    }

    /// The counts of refunds, what they returned by currency, and their share of charges.
    private mutating func add(_ counts: RefundCounts, among charges: Int) {
        self["refunds"] = .integer(Int64(counts.granted))
        self["reversed"] = .integer(Int64(counts.reversed))
        self["share"] = counts.share(of: charges).map { .integer(Int64($0)) } ?? .null
        var amounts = JSONObject()
        for (currency, sum) in counts.amounts.sorted(by: { $0.key < $1.key }) { amounts[currency] = .integer(sum) }
        self["amounts"] = .object(amounts)
    }
}

/// The position in a list of refunds as an opaque, URL-safe text.
extension RefundSelection.Position {
    private static let separator = UInt8(ascii: "\n")

    /// The text.
    var cursor: String {
        let parts = [String(refundedAt.milliseconds), transactionID.rawValue, purchaseID.rawValue]
        return Array(parts.joined(separator: "\n").utf8).hexadecimal
    }

    /// Reads a cursor; nil if the text is invalid.
    init?(cursor: String) {
        guard let bytes = [UInt8](hexadecimal: cursor), !bytes.contains(0) else { return nil }
        let parts = bytes.split(separator: Self.separator, omittingEmptySubsequences: false)
            .map { String(decoding: $0, as: UTF8.self) }
        guard parts.count == 3, let time = Int64(parts[0]) else { return nil }
        self.init(
            refundedAt: Timestamp(milliseconds: time),
            transactionID: TransactionID(parts[1]),
            purchaseID: OriginalTransactionID(parts[2])
        )
    }
}
