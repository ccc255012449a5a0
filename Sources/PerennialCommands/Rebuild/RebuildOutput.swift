import AppStoreModel
import PerennialCommandSupport
import SubscriptionCore
import SubscriptionOperations

/// The output of `perennial rebuild`.
struct RebuildOutput {
    /// The maximum number of differences in a text; JSON contains all.
    private static let shownMax = 100
    private static let reasonForHolding =
        "an input about the purchase cannot be read, and the customer could have less access without it"

    let isJSON: Bool
    let progress = Progress()
    private(set) var summary = RebuildVerification.Summary()
    private var repaired = 0
    /// The purchases that were not repaired because an input about them cannot be read.
    private var held: [AppID: Set<OriginalTransactionID>] = [:]
    private var foundBeforeRepair: Int?
    private var shown = 0

    init(isJSON: Bool) { self.isJSON = isJSON }

    /// Whether nothing differs.
    var isEqual: Bool { summary.differences == 0 }

    /// Adds the result of a repair.
    mutating func add(_ result: RebuildRepair.Result, of app: AppID) {
        repaired += result.repaired
        held[app, default: []].formUnion(result.held)
    }

    /// The following differences remain after the repair.
    mutating func beginAfterRepair(found: Int) { foundBeforeRepair = found }

    /// Adds the counts of an app.
    mutating func add(_ counts: RebuildVerification.Summary) { summary += counts }

    /// Prints differences as they are found.
    mutating func show(_ differences: [RebuildDifference], of app: AppID) {
        for difference in differences {
            shown += 1
            if isJSON {
                StandardOutput.printLine(Self.text(json(difference, app)))
            } else if shown <= Self.shownMax {
                progress.show(TerminalText.escaped(line(difference, app)))
            }
        }
    }

    /// Prints the counts.
    func finish() {
        progress.update("")
        var counts: JSONObject = [
            "inputs": .integer(Int64(summary.inputs)), "facts": .integer(Int64(summary.facts)),
            "purchases": .integer(Int64(summary.purchases)),
        ]
        if let foundBeforeRepair {
            counts["differences"] = .integer(Int64(foundBeforeRepair))
            counts["repaired_purchases"] = .integer(Int64(repaired))
            counts["remaining"] = .integer(Int64(summary.differences))
        } else {
            counts["differences"] = .integer(Int64(summary.differences))
        }
        guard !isJSON else { return _ = StandardOutput.printLine(Self.text(counts)) }
        if shown > Self.shownMax {
            StandardOutput.printLine("\(shown - Self.shownMax) more differences; --json prints all")
        }
        for count in counts.members {
            StandardOutput.printLine("\(count.key): \(String(decoding: count.value.serialize(), as: UTF8.self))")
        }
    }

    private func json(_ difference: RebuildDifference, _ app: AppID) -> JSONObject {
        var object: JSONObject = ["code": .string(difference.code.rawValue), "app": .string(app.rawValue)]
        object["purchase"] = difference.purchaseID.map { .string($0.rawValue) }
        object["evidence"] = difference.evidenceID.map { .string($0.rawValue) }
        object["sequence"] = difference.sequence.map { .integer($0) }
        object["transaction"] = difference.transactionID.map { .string($0.rawValue) }
        object["product"] = difference.productID.map { .string($0.rawValue) }
        object["fact"] = difference.fact.map { .string($0) }
        object["stored"] = difference.stored.map { .string($0) }
        object["derived"] = difference.derived.map { .string($0) }
        object["remedy"] = remedy(of: difference, app).map { .string($0) }
        if foundBeforeRepair != nil { object["remains"] = .bool(true) }
        return object
    }

    private func line(_ difference: RebuildDifference, _ app: AppID) -> String {
        var parts = [foundBeforeRepair == nil ? difference.code.rawValue : "remains: \(difference.code.rawValue)"]
        parts.append("app \(app.rawValue)")
        if let purchase = difference.purchaseID { parts.append("purchase \(purchase.rawValue)") }
        if let evidence = difference.evidenceID { parts.append("evidence \(evidence.rawValue)") }
        if let sequence = difference.sequence { parts.append("sequence \(sequence)") }
        if let fact = difference.fact, fact != difference.stored, fact != difference.derived { parts.append(fact) }
        var line = parts.joined(separator: " ") + ": stored: \(difference.stored ?? "nothing")"
        if difference.code != .evidenceUnreadable { line += "; derived: \(difference.derived ?? "nothing")" }
        if foundBeforeRepair != nil {
            let reason = isHeld(difference, app) ? Self.reasonForHolding : difference.code.reasonForNoRepair
            line += "; not repaired: \(reason)"
        }
        if let remedy = remedy(of: difference, app) { line += "; \(remedy)" }
        return line
    }

    private func isHeld(_ difference: RebuildDifference, _ app: AppID) -> Bool {
        guard difference.code != .evidenceUnreadable, let purchase = difference.purchaseID else { return false }
        return held[app]?.contains(purchase) == true
    }

    private func remedy(of difference: RebuildDifference, _ app: AppID) -> String? {
        isHeld(difference, app) ? RebuildDifference.Code.remedyOfHeld : difference.code.remedy
    }

    private static func text(_ object: JSONObject) -> String { String(decoding: object.serialize(), as: UTF8.self) }
}

extension RebuildDifference.Code {
    /// Why differences of this kind remain after a repair.
    fileprivate var reasonForNoRepair: String {
        switch self {
        case .evidenceUnreadable: "only a backup has the input"
        case .soldProductDiffers: "no stored transaction is of this product"
        case .unknownNotificationsDiffer: "the count belongs to no purchase"
        default: "run it again; if this stays, an input about the purchase cannot be read (evidence_unreadable)"
        }
    }
}
