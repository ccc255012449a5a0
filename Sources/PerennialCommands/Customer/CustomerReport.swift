import AppStoreModel
import Foundation

/// A customer in plain words, from the server's answers.
struct CustomerReport {
    let customer: JSONObject
    /// Oldest first.
    let timeline: [JSONObject]
    /// Whether the story goes on behind what was read.
    let hasMore: Bool

    /// The lines, with times in a time zone.
    func lines(in zone: TimeZone) -> [String] {
        let times = LocalTimes(zone: zone)
        let all =
            heading(times) + entitlements(times) + withoutEntitlement + subscriptions(times) + purchases(times)
            + story(times)
        return all.map(TerminalText.harmless)
    }

    private func heading(_ times: LocalTimes) -> [String] {
        var lines = ["Customer \(customer.text("app_user_id") ?? "?")"]
        if let seen = times.text(customer["first_seen_at"]) { lines[0] += ", known since \(seen)" }
        let aliases = (customer["aliases"]?.arrayValue ?? []).compactMap(\.stringValue)
        if !aliases.isEmpty { lines.append("  also known as: \(aliases.joined(separator: ", "))") }
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
        let end = times.text(entitlement["grace_expires_at"]) ?? times.text(entitlement["expires_at"])
        guard entitlement["active"] == .bool(true) else {
            let reason = entitlement.text("inactive_reason").map { " (\(PlainWords.of($0)))" } ?? ""
            return "no access\(reason)\(end.map { ", ended \($0)" } ?? "")"
        }
        guard let end else { return "access without end" }
        return entitlement["will_renew"] == .bool(true) ? "access, renews \(end)" : "access until \(end)"
    }

    private var withoutEntitlement: [String] {
        let members = customer["product_explanation"]?.objectValue?.members ?? []
        guard !members.isEmpty else { return [] }
        return ["", "Products to look at"]
            + members.compactMap { summary("product_explanation", $0.key) }.map { "  \($0)" }
    }

    private func subscriptions(_ times: LocalTimes) -> [String] {
        let all = (customer["subscriptions"]?.arrayValue ?? []).compactMap(\.objectValue)
        guard !all.isEmpty else { return [] }
        var lines = ["", "Subscriptions"]
        for subscription in all {
            let status = PlainWords.of(subscription.text("status") ?? "?")
            let end = times.text(subscription["current_period_ends_at"]).map { ", period ends \($0)" } ?? ""
            lines.append(
                "  \(subscription.text("id") ?? "?")  \(subscription.text("product_id") ?? "?")  \(status)\(end)"
            )
            if let url = subscription.text("management_url") { lines.append("    manage: \(url)") }
            if let url = subscription.text("payment_url") { lines.append("    payment method: \(url)") }
        }
        return lines
    }

    private func purchases(_ times: LocalTimes) -> [String] {
        let all = (customer["purchases"]?.arrayValue ?? []).compactMap(\.objectValue)
        guard !all.isEmpty else { return [] }
        return ["", "One-time purchases"]
            + all.map { purchase in
                let bought = times.text(purchase["purchased_at"]).map { ", bought \($0)" } ?? ""
                let revoked = times.text(purchase["revoked_at"]).map { ", taken back \($0)" } ?? ""
                return "  \(purchase.text("id") ?? "?")  \(purchase.text("product_id") ?? "?")\(bought)\(revoked)"
            }
    }

    private func story(_ times: LocalTimes) -> [String] {
        guard !timeline.isEmpty else { return ["", "Timeline: empty"] }
        var lines = ["", "Timeline"]
        for entry in timeline {
            var line = "  \(times.text(entry["at"]) ?? "?")  \(PlainWords.of(event: entry.text("type") ?? "?"))"
            if let product = entry.text("product_id") { line += ": \(product)" }
            if let price = PlainWords.price(entry["price"], entry.text("currency")) { line += ", \(price)" }
            let details = (entry["details"]?.objectValue?.members ?? []).compactMap { detail in
                detail.value.stringValue.map { "\(PlainWords.of(detail.key)) \($0)" }
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

extension JSONObject {
    fileprivate func text(_ name: String) -> String? { self[name]?.stringValue }
}

/// Times as the clock on the wall shows them.
private struct LocalTimes {
    private let formatter: DateFormatter

    init(zone: TimeZone) {
        formatter = DateFormatter()
        formatter.locale = Locale(identifier: "en_US_POSIX")
        formatter.timeZone = zone
        formatter.dateFormat = "yyyy-MM-dd HH:mm zzz"
    }

    func text(_ value: JSONValue?) -> String? {
        guard case .integer(let milliseconds)? = value else { return nil }
        return formatter.string(from: Date(timeIntervalSince1970: Double(milliseconds) / 1000))
    }
}
