import AppStoreModel
import PerennialCommandSupport

/// Refunds as text, from the server's answers.
enum RefundText {
    /// One refund.
    static func line(of refund: JSONObject, _ times: LocalTimes) -> String {
        let currency = refund.text("currency")
        var parts = [
            times.text(refund["refunded_at"]) ?? "?", refund.text("transaction_id") ?? "?",
            refund.text("product_id") ?? "?", refund.text("storefront") ?? "?",
            DisplayNames.price(refund["amount"], currency) ?? "no known amount",
            refund.text("app_user_id") ?? (refund["owner_unreadable"] == true ? "customer unreadable" : "no customer"),
        ]
        var notes: [String] = []
        if refund["amount"] != refund["price"], let price = DisplayNames.price(refund["price"], currency) {
            notes.append("of \(price)")
        }
        if let reason = refund.text("reason") { notes.append(DisplayNames.of(reason)) }
        if let reason = refund.text("requested_because") { notes.append("requested: \(DisplayNames.of(reason))") }
        if let reversed = times.text(refund["reversed_at"]) { notes.append("reversed \(reversed)") }
        if !notes.isEmpty { parts.append("(\(notes.joined(separator: ", ")))") }
        return TerminalText.escapedLine(parts.joined(separator: "  "))
    }

    /// The refunds of one product, storefront or reason.
    static func line(ofGroup group: JSONObject) -> String {
        let reason = group.text("reason").map { DisplayNames.of($0) }
        let known = group.text("product_id") ?? group.text("storefront") ?? reason
        var line = "\(known ?? "not known"): \(counts(in: group))"
        if group.count("reversed") > 0 { line += ", \(group.count("reversed")) reversed" }
        let reasons = (group["requested_because"]?.objectValue?.members ?? []).compactMap { member in
            member.value.integerValue.map { "\(DisplayNames.of(member.key)): \($0)" }
        }
        if !reasons.isEmpty { line += " (requested: \(reasons.joined(separator: ", ")))" }
        return TerminalText.escapedLine(line)
    }

    /// The refunds of a customer over all purchases; nothing if there are none, and no requests.
    static func lines(ofCustomer refunds: JSONObject, _ times: LocalTimes) -> [String] {
        let names = ["refunds", "reversed", "requested", "declined"]
        guard names.contains(where: { refunds.count($0) > 0 }) else { return [] }
        var lines = ["", "Refunds", "  \(counts(in: refunds))"]
        if let first = times.text(refunds["first_refunded_at"]), let last = times.text(refunds["last_refunded_at"]) {
            lines[2] += first == last ? ", \(first)" : ", the first \(first), the last \(last)"
        }
        if refunds.count("reversed") > 0 { lines.append("  reversed: \(refunds.count("reversed"))") }
        if refunds.count("requested") + refunds.count("declined") > 0 {
            lines.append("  requested: \(refunds.count("requested")), declined: \(refunds.count("declined"))")
        }
        return lines
    }

    /// The number of refunds among the charges, with their share and amounts.
    private static func counts(in object: JSONObject) -> String {
        let refunds = object.count("refunds")
        var text = "\(refunds) \(refunds == 1 ? "refund" : "refunds")"
        if case .integer(let charged)? = object["charged"] {
            text = "\(refunds) of \(charged) \(charged == 1 ? "charge" : "charges") refunded"
        }
        if case .integer(let share)? = object["share"] {
            let tenths = (share + 50) / 100
            text += " (\(tenths / 10).\(tenths % 10) %)"
        }
        let amounts = (object["amounts"]?.objectValue?.members ?? []).compactMap {
            DisplayNames.price($0.value, $0.key)
        }
        return ([text] + amounts).joined(separator: ", ")
    }
}
