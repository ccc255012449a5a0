import AppStoreModel
import Foundation
import PerennialCommandSupport

/// A description of a customer from the server's answers.
struct CustomerReport {
    let customer: JSONObject
    /// Oldest first.
    let timeline: [JSONObject]
    /// Whether the timeline continues after the entries that were read.
    let hasMore: Bool
    /// The lists of extensions, by the identifier of the subscription.
    var extensions: [String: JSONObject] = [:]
    /// The customer's refunds over all purchases.
    var refunds = JSONObject()
    /// The newest refund requests, newest first.
    var refundRequests: [JSONObject] = []
    /// The server's address, if the commands that it prints must name it.
    var server: String?

    /// The lines, with times in a time zone.
    func lines(in zone: TimeZone) -> [String] {
        let times = LocalTimes(zone: zone)
        let all =
            heading(times) + entitlements(times) + withoutEntitlement + subscriptions(times) + purchases(times)
            + RefundText.lines(ofCustomer: refunds, times) + requestLines(times) + refusedClaims(times)
            + timelineLines(times) + actionLines(times)
        return all.map(TerminalText.escapedLine)
    }

    /// What can be done for the customer.
    func actions(in zone: TimeZone) -> [CustomerAction] { actions(LocalTimes(zone: zone)) }

    private func actions(_ times: LocalTimes) -> [CustomerAction] {
        let actions = CustomerActions(
            customer: customer,
            extensions: extensions,
            refundRequests: refundRequests,
            times: times,
            server: server
        )
        return actions.all
    }

    private func actionLines(_ times: LocalTimes) -> [String] {
        let found = actions(times)
        return found.isEmpty ? [] : ["", "What can be done"] + found.flatMap(\.lines)
    }

    private func heading(_ times: LocalTimes) -> [String] {
        var lines = ["Customer \(customer.text("app_user_id") ?? "?")"]
        if let seen = times.text(customer["first_seen_at"]) { lines[0] += ", known since \(seen)" }
        let aliases = customer.texts("aliases")
        if !aliases.isEmpty { lines.append("  also known as: \(aliases.joined(separator: ", "))") }
        if let leftOut = customer["purchases_not_asked"]?.integerValue, leftOut > 0 {
            lines.append("  not refreshed: \(leftOut) of the older purchases, because a refresh has at most 20 queries")
        }
        return lines
    }

    private func entitlements(_ times: LocalTimes) -> [String] {
        let all = customer["entitlements"]?.objectValue ?? JSONObject()
        guard !all.members.isEmpty else { return ["", "Entitlements: none"] }
        var lines = ["", "Entitlements"]
        for member in all.members {
            guard let entitlement = member.value.objectValue else { continue }
            lines.append("  \(member.key): \(access(entitlement, times))")
            if let why = summary("explanation", member.key) { lines.append("    \(why)") }
        }
        return lines
    }

    private func access(_ entitlement: JSONObject, _ times: LocalTimes) -> String {
        let paid = times.text(entitlement["expires_at"])
        guard entitlement["active"] == .bool(true) else {
            let reason = entitlement.text("inactive_reason")
            // A grace period may extend access beyond the paid period.
            let what = reason == "expired" || reason == "billing_retry" ? "paid until" : "ended"
            let because = reason.map { " (\(DisplayNames.of($0)))" } ?? ""
            return "no access\(because)\(paid.map { ", \(what) \($0)" } ?? "")"
        }
        if let grace = times.text(entitlement["grace_expires_at"]) { return "access until \(grace)" }
        guard let paid else { return "access without end" }
        return entitlement["will_renew"] == .bool(true) ? "access, renews \(paid)" : "access until \(paid)"
    }

    private var withoutEntitlement: [String] {
        let members = customer["product_explanation"]?.objectValue?.members ?? []
        guard !members.isEmpty else { return [] }
        return ["", "Products to check"]
            + members.compactMap { summary("product_explanation", $0.key) }.map { "  \($0)" }
    }

    private func subscriptions(_ times: LocalTimes) -> [String] {
        let all = customer.objects("subscriptions")
        guard !all.isEmpty else { return [] }
        var lines = ["", "Subscriptions"]
        for subscription in all {
            lines.append(
                "  \(subscription.text("id") ?? "?")  \(subscription.text("product_id") ?? "?")  "
                    + statusText(of: subscription, times)
            )
            if let terms = terms(of: subscription) { lines.append("    \(terms)") }
            if let url = subscription.text("management_url") { lines.append("    manage: \(url)") }
            if let url = subscription.text("payment_url") { lines.append("    payment method: \(url)") }
            if let list = subscription.text("id").flatMap({ extensions[$0] }) {
                lines += ExtensionReport(list).lines(times).map { "    \($0)" }
            }
        }
        return lines
    }

    /// The state of a subscription. An ended one shows the reason, because the end of its period may be later.
    private func statusText(of subscription: JSONObject, _ times: LocalTimes) -> String {
        let status = DisplayNames.of(subscription.text("status") ?? "?")
        if subscription.text("status") == "revoked", let reason = subscription.text("ended_because") {
            return "\(status) (\(DisplayNames.of(reason)))"
        }
        return status + (times.text(subscription["current_period_ends_at"]).map { ", period ends \($0)" } ?? "")
    }

    /// The price of a subscription, and its next change.
    private func terms(of subscription: JSONObject) -> String? {
        var terms: [String] = []
        if let ownership = subscription.text("ownership"), ownership != "PURCHASED" {
            terms.append(DisplayNames.of(ownership).lowercased())
        }
        if let type = subscription.text("period_type"), type != "normal" { terms.append(DisplayNames.of(type)) }
        if let price = DisplayNames.price(subscription["price"], subscription.text("currency")) { terms.append(price) }
        if subscription["auto_renew"] == .bool(true) {
            let product = subscription.text("next_product_id").map { " as \($0)" } ?? ""
            let price = DisplayNames.price(subscription["renewal_price"], subscription.text("renewal_currency"))
            let consent = subscription.text("price_increase") == "pending" ? ", if the customer agrees" : ""
            terms.append("renews\(product)\(price.map { " for \($0)" } ?? "")\(consent)")
        }
        return terms.isEmpty ? nil : terms.joined(separator: ", ")
    }

    private func requestLines(_ times: LocalTimes) -> [String] {
        guard !refundRequests.isEmpty else { return [] }
        return ["", "Refund requests"] + refundRequests.map { "  \(RefundRequestText($0).line(times))" }
    }

    /// Refused claims of purchases, by this customer or by another one.
    private func refusedClaims(_ times: LocalTimes) -> [String] {
        let claims = customer.objects("refused_claims")
        guard !claims.isEmpty else { return [] }
        var lines = ["", "Refused claims"]
        for claim in claims {
            let other = claim.text("other_app_user_id")
            let isOwn = claim.text("role") == "owner"
            let who =
                isOwn
                ? "\(other ?? "another customer") submitted it too" : "it belongs to \(other ?? "no customer now")"
            let reason = DisplayNames.of(claim.text("reason") ?? "?")
            let time = times.text(claim["claimed_at"]).map { ", \($0)" } ?? ""
            lines.append("  \(claim.text("purchase_id") ?? "?")  \(who) (\(reason))\(time)")
        }
        if let remedy = claims.first?.text("what_to_do") { lines.append("  \(remedy)") }
        return lines
    }

    private func purchases(_ times: LocalTimes) -> [String] {
        let all = customer.objects("purchases")
        guard !all.isEmpty else { return [] }
        return ["", "One-time purchases"]
            + all.map { purchase in
                let bought = times.text(purchase["purchased_at"]).map { ", bought \($0)" } ?? ""
                let revoked = times.text(purchase["revoked_at"]).map { ", revoked \($0)" } ?? ""
                return "  \(purchase.text("id") ?? "?")  \(purchase.text("product_id") ?? "?")\(bought)\(revoked)"
            }
    }

    private func timelineLines(_ times: LocalTimes) -> [String] {
        guard !timeline.isEmpty else { return ["", "Timeline: empty"] }
        var lines = ["", "Timeline"]
        for entry in timeline {
            var line = "  \(times.text(entry["at"]) ?? "?")  \(DisplayNames.of(event: entry.text("type") ?? "?"))"
            if let subject = entry.text("product_id") ?? entry.text("purchase_id") { line += ": \(subject)" }
            if let price = DisplayNames.price(entry["price"], entry.text("currency")) { line += ", \(price)" }
            let details = (entry["details"]?.objectValue?.members ?? []).compactMap { detail in
                // The remedy is shown with the refused claims.
                detail.key == "what_to_do"
                    ? nil : detail.value.stringValue.map { "\(DisplayNames.of(detail.key)) \($0)" }
            }
            if !details.isEmpty { line += " (\(details.joined(separator: ", ")))" }
            lines.append(line)
        }
        if hasMore { lines.append("  … more: GET /v1/customers/{app_user_id}/timeline") }
        return lines
    }

    private func summary(_ kind: String, _ name: String) -> String? {
        let text = customer[kind]?.objectValue?[name]?.objectValue?.text("summary")
        return text.flatMap { $0.isEmpty ? nil : $0 }
    }
}
