/// The prices of the demo's products in other currencies, in thousandths of the currency unit.
enum DemoPrices {
    /// By storefront and product.
    static let points: [String: [String: Int64]] = [
        "JPN": thousandths([
            "pro.weekly": 500, "pro.monthly": 1_500, "pro.yearly": 12_000, "plus.monthly": 800, "lifetime": 30_000,
            "coins.100": 160, "season.pass": 3_000,
        ]),
        "KOR": thousandths([
            "pro.weekly": 4_400, "pro.monthly": 14_000, "pro.yearly": 119_000, "plus.monthly": 6_600,
            "lifetime": 299_000, "coins.100": 1_500, "season.pass": 29_000,
        ]),
        "BRA": [
            "pro.weekly": 14_900, "pro.monthly": 49_900, "pro.yearly": 399_900, "plus.monthly": 24_900,
            "lifetime": 999_900, "coins.100": 5_900, "season.pass": 99_900,
        ],
    ]

    /// Products with an introductory price, which the catalogue defines in dollars only.
    private static let introduced: Set<String> = ["pro.yearly", "plus.monthly"]

    /// Whether a product has a plausible price in a storefront.
    static func isSold(_ product: String, in storefront: String) -> Bool {
        points[storefront] == nil || !introduced.contains(product)
    }

    private static func thousandths(_ units: [String: Int64]) -> [String: Int64] { units.mapValues { $0 * 1_000 } }
}

/// An amount of money for people.
enum DemoMoney {
    private static let symbols = ["USD": "$", "EUR": "€", "GBP": "£", "JPY": "¥", "KRW": "₩", "BRL": "R$"]
    private static let wholeUnits: Set<String> = ["JPY", "KRW"]

    /// `¥1,500`, `$9.99`, `9.99 CHF`; yen and won have no decimals.
    static func text(thousandths: Int64, currency: String) -> String {
        var amount = grouped(thousandths / 1_000)
        if !wholeUnits.contains(currency) {
            let hundredths = (thousandths % 1_000) / 10
            amount += hundredths < 10 ? ".0\(hundredths)" : ".\(hundredths)"
        }
        return symbols[currency].map { $0 + amount } ?? "\(amount) \(currency)"
    }

    private static func grouped(_ number: Int64) -> String {
        let digits = Array(String(number))
        return digits.enumerated().reduce(into: "") { text, digit in
            if digit.offset > 0, (digits.count - digit.offset) % 3 == 0 { text += "," }
            text.append(digit.element)
        }
    }
}
