/// What the demo prints for the person who wants to try things: every line works as printed.
struct DemoGuide: Sendable {
    let addresses: DemoStack.Addresses
    let secretKey: String

    /// Printed as soon as both listen.
    var addressesText: String {
        """
        local App Store  \(addresses.store)
        server           \(addresses.server)
        secret key       \(secretKey)

        Selling …
        """
    }

    /// Printed when everything is sold.
    func customersText(_ shoppers: [DemoShopper], report: DemoReport) -> String {
        let someone = shoppers.first { $0.appAccountToken == nil } ?? shoppers.first
        let user = someone?.appUserID ?? "u_1"
        let account = someone?.accountID ?? "1"
        let customers = shoppers.map { "  \($0.appUserID)  (store account \($0.accountID), \($0.storefront))" }
        return """

            \(report.text)

            customers
            \(customers.joined(separator: "\n"))

            What may \(user) use, and why does the server think so?
              curl -H 'Authorization: Bearer \(secretKey)' \(addresses.server)/v1/customers/\(user)/entitlements
              curl -H 'Authorization: Bearer \(secretKey)' \(addresses.server)/v1/customers/\(user)

            What does the store say?
              curl \(addresses.store)/_store/accounts/\(account)

            Buy something, let a month pass, look again:
              curl -X POST -d '{"productId":"lifetime"}' \(addresses.store)/_store/accounts/\(account)/purchases
              curl -X POST -d '{"by":"P1M"}' \(addresses.store)/_store/clock/advance

            Ctrl-C ends both and removes their data.
            """
    }
}
