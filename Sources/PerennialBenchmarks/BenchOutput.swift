import AppStoreModel

/// The output of figures.
enum BenchOutput {
    /// Prints one object, or a line for each figure.
    static func show(_ figures: JSONObject, asJSON: Bool) {
        guard !asJSON else { return print(String(decoding: figures.serialize(), as: UTF8.self)) }
        for member in figures.members {
            print("\(member.key): \(String(decoding: member.value.serialize(), as: UTF8.self))")
        }
    }
}

extension JSONValue {
    /// A figure with a number of decimal digits.
    static func rounded(_ value: Double, _ digits: Int) -> JSONValue {
        .decimal(VerificationReport.fixed(value, digits: digits))
    }
}
