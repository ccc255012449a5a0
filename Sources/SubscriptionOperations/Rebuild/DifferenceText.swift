import SubscriptionCore

/// Texts about differing values, for people.
enum DifferenceText {
    /// What is said instead of a state that is not stored.
    static let noState = "no state stored"

    /// What differs between two states, as text.
    static func states(stored: PurchaseState?, derived: PurchaseState?) -> (stored: String, derived: String) {
        let texts = members(stored: stored?.content, derived: derived?.content)
        return (texts.stored ?? noState, texts.derived ?? "none derived")
    }

    /// The members of two values that differ, as text; nil for an absent value.
    ///
    /// If one value is absent, the text of the other one has all its members.
    ///
    /// It names each member only where the values differ, so that the texts stay short. A member of a member has both
    /// names, as in `nextPeriod.price`.
    static func members(stored: Any?, derived: Any?) -> (stored: String?, derived: String?) {
        guard let stored, let derived else { return (stored.map(text), derived.map(text)) }
        let (left, right) = (members(of: stored), members(of: derived))
        let names = left.map(\.name) + right.map(\.name).filter { name in !left.contains { $0.name == name } }
        var texts: (stored: [String], derived: [String]) = ([], [])
        for name in names {
            let value = left.first { $0.name == name }?.value ?? "none"
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

    /// The members of a value that are not absent.
    private static func members(of value: Any) -> [(name: String, value: String)] {
        Mirror(reflecting: value).children.flatMap { child -> [(name: String, value: String)] in
            guard let name = child.label, let member = present(child.value) else { return [] }
            guard isStructure(member) else { return [(name, text(member))] }
            return members(of: member).map { ("\(name).\($0.name)", $0.value) }
        }
    }

    /// Whether the members of a value say more than its text.
    private static func isStructure(_ value: Any) -> Bool {
        if value is Timestamp || value is Money || value is any CustomStringConvertible { return false }
        return !(value is any RawRepresentable) && Mirror(reflecting: value).displayStyle == .struct
    }

    private static func present(_ value: Any) -> Any? {
        let mirror = Mirror(reflecting: value)
        guard mirror.displayStyle == .optional else { return value }
        return mirror.children.first.flatMap { present($0.value) }
    }

    private static func text(_ value: Any) -> String {
        guard let value = present(value) else { return "none" }
        if let time = value as? Timestamp { return time.exactText }
        if let money = value as? Money { return "\(money.milliunits) thousandths of \(money.currency)" }
        if isStructure(value) { return members(of: value).map { "\($0.name): \($0.value)" }.joined(separator: ", ") }
        if let list = value as? [Any] { return "[\(list.map(text).joined(separator: "; "))]" }
        if value is any CustomStringConvertible { return "\(value)" }
        if let value = value as? any RawRepresentable { return "\(value.rawValue)" }
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
