import AppStoreModel
import PerennialPrimitives

/// What can be done for a customer, from the server's answers. It asks nothing and decides by the answers alone.
struct CustomerActions {
    /// A day.
    ///
    /// - Units: milliseconds.
    private static let day: Int64 = 86_400_000

    private let customer: JSONObject
    private let extensions: [String: JSONObject]
    private let refundRequests: [JSONObject]
    private let times: LocalTimes
    private let server: String?

    private var id: String { customer.text("app_user_id") ?? "" }
    private var path: String { "/v1/customers/\(ServerCalls.encoded(id))" }
    private var subscriptions: [JSONObject] { customer.objects("subscriptions") }

    /// - Parameters:
    ///   - customer: The customer, as the server returns it.
    ///   - extensions: The lists of extensions, by the identifier of the subscription.
    ///   - refundRequests: The refund requests about the customer's purchases, newest first.
    ///   - times: Writes times for the reader.
    ///   - server: The server's address, if the commands must name it.
    init(
        customer: JSONObject,
        extensions: [String: JSONObject],
        refundRequests: [JSONObject] = [],
        times: LocalTimes,
        server: String? = nil
    ) {
        self.customer = customer
        self.extensions = extensions
        self.refundRequests = refundRequests
        self.times = times
        self.server = server
    }

    /// A command of this program, for the same server.
    private func command(_ text: String) -> String {
        "perennial \(text)\(server.map { " --server \(CustomerAction.argument($0))" } ?? "")"
    }

    /// The command that refreshes the customer. An identifier that begins with a hyphen follows the options.
    private var refreshCommand: String {
        let name = CustomerAction.argument(id)
        return id.hasPrefix("-") ? command("customer --refresh") + " -- \(name)" : command("customer \(name) --refresh")
    }

    /// All of it; empty if there is nothing to do.
    var all: [CustomerAction] {
        var all = refundRequests.compactMap(consent)
        all += subscriptions.compactMap(payment)
        all += refresh
        all += subscriptions.compactMap(longerPeriod)
        all += reversals
        all += (customer["entitlements"]?.objectValue?.members ?? []).compactMap(grant)
        all += claims
        all += search
        return all
    }

    // MARK: What only the customer, or Apple, can do

    private func payment(_ subscription: JSONObject) -> CustomerAction? {
        guard subscription.text("billing_issue") != nil else { return nil }
        let product = subscription.text("product_id") ?? "?"
        let grace = times.text(subscription["grace_expires_at"]).map { " Access stays until \($0)." } ?? ""
        let because =
            "Apple could not charge \(product) and keeps trying.\(grace) Nothing here can make the charge succeed."
        guard let page = subscription.text("payment_url") else {
            return CustomerAction(action: "Ask who pays for it to update the payment method", because: because)
        }
        return CustomerAction(action: "Ask the customer to update the payment method: \(page)", because: because)
    }

    /// What a reversed refund, or new sharing, would change: once for several purchases of a product.
    private var reversals: [CustomerAction] {
        let periods = subscriptions.filter {
            let reason = $0.text("ended_because")
            return $0.text("status") == "revoked" && (reason == "refunded" || reason == "sharing_ended")
        }
        let purchases = customer.objects("purchases").filter { $0["revoked_at"]?.integerValue != nil }
        var named: Set<CustomerAction> = []
        return (periods + purchases).map { purchase in
            let product = purchase.text("product_id") ?? "?"
            let isShared = purchase.text("ownership").map { $0 != "PURCHASED" } ?? false
            guard !isShared else {
                return CustomerAction(
                    action: "Tell the customer that \(product) is no longer shared with them",
                    because: "The person who pays stopped sharing it, one of them left the family or lost the seat, or "
                        + "Apple refunded it. If it is shared again, access comes back without any action here."
                )
            }
            return CustomerAction(
                action: "Tell the customer that Apple took \(product) back",
                because: "If it was a refund and Apple reverses it (REFUND_REVERSED), access comes back without any "
                    + "action here."
            )
        }
        .filter { named.insert($0).inserted }
    }

    // MARK: What a server can do

    /// Asks the customer for the consent without which Apple gets no facts about a refund request.
    private func consent(_ request: JSONObject) -> CustomerAction? {
        // The backend's failure hides that the policy lacks the consent, unless the policy sends nothing anyway.
        guard request.text("state") == "waiting", request.text("answer") != "no_answer",
            let code = request["error"]?.objectValue?.text("code"), ["no_consent", "hook_failed"].contains(code),
            let purchase = request.text("purchase_id")
        else { return nil }
        let facts = request["facts"]?.objectValue ?? JSONObject()
        // The customer was asked, and did or did not agree.
        guard facts["customer_consented"]?.boolValue == nil else { return nil }
        let due = times.text(request["answer_due_by"]).map { ", until \($0)" } ?? ""
        // A report replaces the one before, so the call repeats what is known.
        var body: JSONObject = ["customer_consented": .bool(true)]
        for name in ["delivery_status", "consumption_percentage", "sample_content_provided"] {
            if let value = facts[name], value != .null { body[name] = value }
        }
        return CustomerAction(
            action: "Ask the customer whether Apple may get facts about \(request.text("product_id") ?? "?")\(due)",
            command: CustomerAction.call(
                "/v1/purchases/\(ServerCalls.encoded(purchase))/consumption",
                body,
                method: "PUT"
            ),
            because: "They want money back, and Apple asks about the purchase. Without consent the server sends "
                + "nothing. Make the call only if they agree."
        )
    }

    /// Asks Apple, if a fact may be missing.
    private var refresh: [CustomerAction] {
        let command = refreshCommand
        let action = "Let the server ask Apple about the customer's purchases now"
        if subscriptions.contains(where: \.mayLackFact) {
            let because = "Apple has not said how a period that is over ended, so a renewal may be missing."
            return [CustomerAction(action: action, command: command, because: because)]
        }
        guard subscriptions.contains(where: { $0.text("billing_issue") != nil }) else { return [] }
        let because = "If the customer says that the payment works again, Apple's answer shows it."
        return [CustomerAction(action: action, command: command, because: because)]
    }

    /// Lengthens a running period, now or as soon as Apple does it.
    private func longerPeriod(_ subscription: JSONObject) -> CustomerAction? {
        guard subscription.text("status") != "revoked", let id = subscription.text("id"), let list = extensions[id]
        else { return nil }
        let command = self.command("extend one \(CustomerAction.argument(id)) --days 7 --reason satisfaction")
        let product = subscription.text("product_id") ?? "?"
        let end = times.text(subscription["current_period_ends_at"]) ?? "?"
        if list["eligible"] == .bool(true) {
            return CustomerAction(
                action: "Lengthen the period of \(product) by 1 to 90 days",
                command: command,
                because: "The period ends \(end), and nothing is against it. Apple charges nothing for these days."
            )
        }
        let obstacles = list.objects("obstacles")
        guard let obstacle = obstacles.first, let code = obstacle.text("code") else { return nil }
        if code == "extension_family_shared" || code == "extension_assigned" {
            return CustomerAction(
                action: "Lengthen the period of the person who pays for \(product)",
                because: obstacle.text("message") ?? code
            )
        }
        if let doubt = obstacles.first(where: { $0.text("code") == "extension_in_doubt" }) {
            return CustomerAction(
                action: "Wait until the last extension of \(product) has a result",
                because: doubt.text("message") ?? code
            )
        }
        // With a second obstacle, the end of the first one does not help.
        guard obstacles.count == 1, let start = start(after: code, subscription, list) else { return nil }
        return CustomerAction(
            action: "Lengthen the period of \(product) from \(start) on",
            command: command,
            because: "Apple would refuse it now: \(obstacle.text("message") ?? code)"
        )
    }

    /// When an obstacle to an extension ends; nil if that is not known.
    private func start(after code: String, _ subscription: JSONObject, _ list: JSONObject) -> String? {
        switch code {
        case "extension_free_period":
            guard subscription["auto_renew"] == .bool(true) else { return nil }
            return times.text(subscription["current_period_ends_at"])
        case "extension_limit_reached":
            let made = list.objects("data").filter { $0.text("state") == "extended" }
                .compactMap { $0["announced_at"]?.integerValue ?? $0["created_at"]?.integerValue }
                .sorted(by: >)
            // Apple allows two within 365 days.
            guard made.count >= 2 else { return nil }
            let start = made[1] + 365 * Self.day
            let end = subscription["current_period_ends_at"]?.integerValue ?? 0
            guard subscription["auto_renew"] == .bool(true) || start < end else { return nil }
            return times.text(.integer(start))
        default: return nil
        }
    }

    /// Access without a purchase, for an entitlement that the customer had.
    private func grant(_ member: JSONObject.Member) -> CustomerAction? {
        guard let entitlement = member.value.objectValue, entitlement["active"] == .bool(false),
            let reason = Self.reason(entitlement.text("inactive_reason"))
        else { return nil }
        let body: JSONObject = ["entitlement_id": .string(member.key), "duration": "P7D"]
        return CustomerAction(
            action: "Give \(member.key) without a purchase, for example for a week",
            command: CustomerAction.call("\(path)/grants", body),
            because: reason
        )
    }

    /// Why a grant helps; nil if the customer has something else instead.
    private static func reason(_ inactive: String?) -> String? {
        switch inactive {
        case "expired"?: "The subscription has ended. Apple extends only running periods, and no call renews it."
        case "billing_retry"?: "There is no access while Apple retries the charge. A grant bridges that time."
        case "refunded"?: "Apple took the purchase back. A grant does not depend on Apple."
        case "revoked"?: "The purchase no longer gives this customer access. A grant does not depend on it."
        case "grant_ended"?: "The last grant has ended. A new one gives access again."
        case "plan_changed"?: nil
        default: "There is no access now. A grant does not depend on a purchase."
        }
    }

    /// Purchases that two customers submitted.
    private var claims: [CustomerAction] {
        customer.objects("refused_claims").flatMap { $0.text("role") == "claimant" ? refused($0) : contested($0) }
    }

    /// Another customer submitted a purchase of this customer.
    private func contested(_ claim: JSONObject) -> [CustomerAction] {
        guard let purchase = claim.text("purchase_id"), let other = claim.text("other_app_user_id") else { return [] }
        let because = "\(other) submitted it too. Move it only if it is theirs; the transfer can be undone."
        return [transfer(purchase, from: id, to: other, because: because)]
    }

    /// This customer submitted a purchase of another customer.
    private func refused(_ claim: JSONObject) -> [CustomerAction] {
        guard let purchase = claim.text("purchase_id") else { return [] }
        let owner = claim.text("other_app_user_id")
        let because =
            "The customer submitted it, but it belongs to \(owner ?? "no customer"). The transfer can be undone."
        var actions = [transfer(purchase, from: owner, to: id, because: because)]
        if let owner {
            let path = "/v1/customers/\(ServerCalls.encoded(owner))/aliases"
            let join = CustomerAction(
                action: "Join both identifiers, if \(owner) and \(id) are one person",
                command: CustomerAction.call(path, ["alias": .string(id)]),
                because: "Then both have all purchases. An alias cannot be removed."
            )
            actions.append(join)
        }
        if claim.text("reason") == "account_token", id.isUUID {
            let naming = CustomerAction(
                action: "Let Apple name this customer in \(purchase)",
                command: command("account-token set \(CustomerAction.argument(purchase)) --token \(id)"),
                because: "The token that Apple signs names another customer. Do it only if the purchase is theirs: "
                    + "Apple replaces the token, and only setting the old one again takes that back."
            )
            actions.append(naming)
        }
        return actions
    }

    private func transfer(
        _ purchase: String,
        from owner: String?,
        to receiver: String,
        because: String
    ) -> CustomerAction {
        var body = JSONObject()
        body["from"] = owner.map { .string($0) }
        body["to"] = .string(receiver)
        body["purchase_ids"] = .array([.string(purchase)])
        return CustomerAction(
            action: "Move \(purchase) to \(receiver)",
            command: CustomerAction.call("/v1/transfers", body),
            because: because
        )
    }

    /// How to find purchases of a customer who has none here.
    private var search: [CustomerAction] {
        guard subscriptions.isEmpty, customer.objects("purchases").isEmpty, claims.isEmpty else { return [] }
        let because = "The server knows no purchase of this customer."
        let submission: JSONObject = ["app_user_id": .string(id), "order_id": "ORDER"]
        return [
            CustomerAction(
                action: "Find the purchase by the order number in Apple's mail to the customer (ORDER)",
                command: command("customer --order ORDER"),
                because: because
            ),
            CustomerAction(
                action: "Give the purchases of the order to this customer",
                command: CustomerAction.call("/v1/transactions", submission),
                because: "Apple is asked about the order. An app_receipt or a transaction_id works instead."
            ),
            CustomerAction(
                action: "Ask the customer to restore purchases in the app",
                because: "The app then submits them. Nothing needs to be entered here."
            ),
        ]
    }
}

extension JSONObject {
    /// Whether the end of a subscription's period is not explained by anything that Apple signed.
    fileprivate var mayLackFact: Bool {
        if self["renewal_awaited_until"]?.integerValue != nil { return true }
        guard text("status") == "expired", let reason = text("ended_because") else { return false }
        return reason == "unknown" || reason == "billing_retry"
    }
}
