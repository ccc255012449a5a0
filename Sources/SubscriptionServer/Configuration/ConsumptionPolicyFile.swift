import Foundation
package import SubscriptionCore
import Yams

/// The file of a ``ConsumptionPolicy``, as YAML or JSON.
///
/// ```yaml
/// rules:
///   - reasons: [unintended_purchase]
///     purchase_age_days_max: 2
///     answer: grant_full
///   - refunds_before_min: 2
///     answer: decline
/// otherwise: no_preference
/// ```
package enum ConsumptionPolicyFile {
    /// What is wrong with a file, and where.
    package struct Problem: Error, Hashable, CustomStringConvertible {
        /// The line; nil if it is about the whole file.
        package let line: Int?
        /// What is wrong, and what is allowed.
        package let message: String

        /// One sentence.
        package var description: String { line.map { "line \($0): \(message)" } ?? message }
    }

    private static let bytesMax = 1 << 20
    private static let reasons: Set<String> = [
        "unintended_purchase", "fulfillment_issue", "unsatisfied_with_purchase", "legal", "other",
    ]

    /// Reads a file.
    ///
    /// - Throws: ``Problem``.
    package static func policy(path: String) throws(Problem) -> ConsumptionPolicy {
        guard let data = FileManager.default.contents(atPath: path) else {
            throw Problem(line: nil, message: "\(path) cannot be read. Check the path, and who may read it")
        }
        guard data.count <= bytesMax else { throw Problem(line: nil, message: "\(path) is too large for a policy") }
        return try policy(String(decoding: data, as: UTF8.self))
    }

    /// Reads the text of a file.
    ///
    /// - Throws: ``Problem``.
    package static func policy(_ text: String) throws(Problem) -> ConsumptionPolicy {
        let root: Node?
        do {
            root = try Yams.compose(yaml: text)
        } catch {
            let place = (error as? YamlError)?.place
            throw Problem(line: place?.line, message: place?.problem ?? "it is neither YAML nor JSON")
        }
        guard let mapping = root?.mapping else {
            throw Problem(line: nil, message: "it needs otherwise, and rules if some requests differ")
        }
        try mapping.allowOnly(["rules", "otherwise", "sample_content_provided"])
        guard let otherwise = mapping["otherwise"] else { throw Problem(line: nil, message: "otherwise is missing") }
        var policy = ConsumptionPolicy(otherwise: try answer(otherwise))
        if let sample = mapping["sample_content_provided"] {
            guard let provided = sample.bool else {
                throw sample.problem("sample_content_provided must be true or false")
            }
            policy.sampleProvided = provided
        }
        guard let rules = mapping["rules"], rules.null == nil else { return policy }
        guard let sequence = rules.sequence else { throw rules.problem("rules must be a list") }
        for node in sequence { policy.rules.append(try rule(node)) }
        return policy
    }

    private static func rule(_ node: Node) throws(Problem) -> ConsumptionPolicy.Rule {
        guard let mapping = node.mapping else { throw node.problem("a rule needs answer, and what it is about") }
        let bounds = ConsumptionPolicy.Measure.allCases.flatMap { ["\($0.rawValue)_min", "\($0.rawValue)_max"] }
        try mapping.allowOnly(["products", "product_types", "reasons", "currency", "answer"] + bounds)
        guard let answerNode = mapping["answer"] else { throw node.problem("the rule has no answer") }
        var rule = ConsumptionPolicy.Rule(answer: try answer(answerNode))
        if let products = mapping["products"] {
            rule.products = Set(try texts(products, of: "products").map { ProductID($0) })
        }
        if let kinds = mapping["product_types"] {
            rule.kinds = try Set(choices(kinds, of: "product_types", as: ProductKind.self))
        }
        if let names = mapping["reasons"] {
            let texts = try texts(names, of: "reasons")
            for text in texts where !reasons.contains(text) {
                throw names.problem("\"\(text)\" is not a reason. Allowed: \(list(reasons))")
            }
            rule.reasons = Set(texts)
        }
        if let currency = mapping["currency"] {
            guard let text = currency.string, text.utf8.count == 3, text == text.uppercased() else {
                throw currency.problem("currency must be a code of ISO 4217, such as USD")
            }
            rule.currency = text
        }
        for measure in ConsumptionPolicy.Measure.allCases {
            rule.bounds[measure] = try limits(of: measure, in: mapping)
        }
        return rule
    }

    /// The bounds that a rule gives a number; nil for none.
    private static func limits(
        of measure: ConsumptionPolicy.Measure,
        in mapping: Node.Mapping
    ) throws(Problem) -> ConsumptionPolicy.Bounds? {
        let (low, high) = ("\(measure.rawValue)_min", "\(measure.rawValue)_max")
        let greatest: Int? = measure == .consumptionPercentage ? ConsumptionFacts.percentageMax : nil
        let minimum = try number(low, in: mapping, upTo: greatest)
        let maximum = try number(high, in: mapping, upTo: greatest)
        guard minimum != nil || maximum != nil else { return nil }
        if let minimum, let maximum, minimum > maximum {
            throw Problem(
                line: mapping[low]?.mark?.line,
                message: "\(low) is greater than \(high), so the rule would never fit"
            )
        }
        return ConsumptionPolicy.Bounds(minimum: minimum, maximum: maximum)
    }

    private static func answer(_ node: Node) throws(Problem) -> ConsumptionPolicy.Answer {
        guard let answer = node.string.flatMap(ConsumptionPolicy.Answer.init) else {
            let known = ConsumptionPolicy.Answer.allCases.map(\.rawValue).joined(separator: ", ")
            throw node.problem("\"\(node.string ?? "?")\" is not an answer. Allowed: \(known)")
        }
        return answer
    }

    private static func number(
        _ key: String,
        in mapping: Node.Mapping,
        upTo greatest: Int?
    ) throws(Problem) -> Int? {
        guard let node = mapping[key] else { return nil }
        guard let number = node.int, number >= 0, number <= greatest ?? .max else {
            throw node.problem("\(key) must be a whole number from 0\(greatest.map { " to \($0)" } ?? "")")
        }
        return number
    }

    private static func texts(_ node: Node, of key: String) throws(Problem) -> [String] {
        guard let sequence = node.sequence, !sequence.isEmpty else {
            throw node.problem("\(key) must be a list of texts")
        }
        var texts: [String] = []
        for item in sequence {
            guard let text = item.string else { throw item.problem("\(key) must be a list of texts") }
            texts.append(text)
        }
        return texts
    }

    private static func choices<Choice: RawRepresentable<String> & CaseIterable>(
        _ node: Node,
        of key: String,
        as type: Choice.Type
    ) throws(Problem) -> [Choice] {
        var choices: [Choice] = []
        for text in try texts(node, of: key) {
            guard let choice = Choice(rawValue: text) else {
                throw node.problem("\"\(text)\" is not known. Allowed: \(list(Set(type.allCases.map(\.rawValue))))")
            }
            choices.append(choice)
        }
        return choices
    }

    private static func list(_ texts: Set<String>) -> String { texts.sorted().joined(separator: ", ") }
}

extension Node {
    fileprivate func problem(_ message: String) -> ConsumptionPolicyFile.Problem {
        ConsumptionPolicyFile.Problem(line: mark?.line, message: message)
    }
}

extension Node.Mapping {
    fileprivate func allowOnly(_ names: [String]) throws(ConsumptionPolicyFile.Problem) {
        for (key, _) in self where !names.contains(key.string ?? "") {
            let known = names.sorted().joined(separator: ", ")
            throw key.problem("\"\(key.string ?? "?")\" is not known here. Allowed: \(known)")
        }
    }
}
