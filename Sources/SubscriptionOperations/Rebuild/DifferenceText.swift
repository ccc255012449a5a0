import SubscriptionCore

/// Texts about differing values, for people.
enum DifferenceText {
    /// The members of two values that differ, as text; nil for an absent value.
    ///
    /// It names each member only where the values differ, so that the texts stay short.
    static func members(stored: Any?, derived: Any?) -> (stored: String?, derived: String?) {
        guard let stored, let derived else { return (stored.map { "\(text($0))" }, derived.map { "\(text($0))" }) }
        let right = members(of: derived)
        var texts: (stored: [String], derived: [String]) = ([], [])
        for (name, value) in members(of: stored) {
            let other = right.first { $0.name == name }?.value ?? "none"
            guard other != value else { continue }
            texts.stored.append("\(name): \(value)")
            texts.derived.append("\(name): \(other)")
        }
        guard !texts.stored.isEmpty else { return (text(stored), text(derived)) }
        return (texts.stored.joined(separator: ", "), texts.derived.joined(separator: ", "))
    }

    /// A fact in a few words.
    static func summary(_ fact: Fact) -> String {
        switch fact {
        case .transaction(let fact): "transaction \(fact.id) of \(fact.productID), signed \(fact.signedAt.exactText)"
        case .renewal(let fact): "renewal record, signed \(fact.signedAt.exactText)"
        case .status(let fact): "status \(fact.status.rawValue), signed \(fact.signedAt.exactText)"
        }
    }

    private static func members(of value: Any) -> [(name: String, value: String)] {
        Mirror(reflecting: value).children.compactMap { child in child.label.map { ($0, text(child.value)) } }
    }

    private static func text(_ value: Any) -> String {
        let mirror = Mirror(reflecting: value)
        if mirror.displayStyle == .optional { return mirror.children.first.map { text($0.value) } ?? "none" }
        if let time = value as? Timestamp { return time.exactText }
        return "\(value)"
    }
}

extension Fact {
    /// The value inside.
    var content: Any {
        switch self {
        case .transaction(let fact): fact
        case .renewal(let fact): fact
        case .status(let fact): fact
        }
    }
}

extension PurchaseState {
    /// The value inside.
    var content: Any {
        switch self {
        case .subscription(let state): state
        case .oneTime(let state): state
        }
    }
}

extension Timestamp {
    /// The date for people, and the exact time in milliseconds since 1970.
    var exactText: String { "\(dateAndTimeText) (\(milliseconds))" }
}
