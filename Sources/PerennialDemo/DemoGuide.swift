/// The instructions that the demo prints: every line works as printed.
struct DemoGuide: Sendable {
    /// A customer with an account.
    struct Customer: Sendable {
        let shopper: DemoShopper
        let account: LedgerAccount
    }

    let addresses: DemoStack.Addresses
    let secretKey: String

    /// Printed when both servers listen.
    var addressesText: String {
        """
        local App Store  \(addresses.store)
        server           \(addresses.server)
        secret key       \(secretKey)
        """
    }

    /// Printed after all sales.
    func customersText(
        _ customers: [Customer],
        examples: [(id: String, answer: DemoAnswer)],
        report: DemoReport
    ) -> String {
        let lines = customers.map { "  \($0.shopper.appUserID)  \($0.summary)" }.joined(separator: "\n")
        var text = "\n\(report.text)\n"
        if let explained = examples.first(where: { $0.id == "u_retry" }) ?? examples.first {
            let width = examples.map(\.id.count).max() ?? 0
            let answers = examples.map { customer in
                "  \(customer.id)\(String(repeating: " ", count: width - customer.id.count))  \(customer.answer.text)"
            }
            text += "\none customer of each kind\n\(answers.joined(separator: "\n"))\n\(explanationText(explained.id))"
        }
        text += "\nother customers\n\(lines)\n"
        if let buyer = customers.first(where: \.canBuyLifetime) ?? customers.first { text += commandsText(buyer) }
        return text + "\nCtrl-C stops both programs and deletes their data."
    }

    private func explanationText(_ user: String) -> String {
        let key = "-H 'Authorization: Bearer \(secretKey)'"
        return """

            Why, and what happened before?
              curl \(key) '\(addresses.server)/v1/customers/\(user)?explain=true'
              curl \(key) \(addresses.server)/v1/customers/\(user)/timeline

            """
    }

    private func commandsText(_ buyer: Customer) -> String {
        let user = buyer.shopper.appUserID
        let account = "\(addresses.store)/_store/accounts/\(buyer.account.accountId)"
        let key = "-H 'Authorization: Bearer \(secretKey)'"
        return """

            What may this customer use, and what does the server know?
              curl \(key) \(addresses.server)/v1/customers/\(user)/entitlements
              curl \(key) \(addresses.server)/v1/customers/\(user)

            What does the store's ledger contain?
              curl \(account)

            Buy something and advance the clock by a month, then repeat the calls above:
              curl -X POST -d '\(buyer.purchaseBody)' \(account)/purchases | grep -o '"transactionId":"[0-9]*"'
              curl -X POST -d '{"by":"P1M"}' \(addresses.store)/_store/clock/advance

            """
    }
}

extension DemoGuide.Customer {
    /// Whether a purchase in the store reaches the server without a submission, and the product is still available.
    fileprivate var canBuyLifetime: Bool {
        shopper.appAccountToken != nil && account.hasGoodCard
            && !account.transactions.contains { $0.productId == "lifetime" && $0.revocationDate == nil }
    }

    fileprivate var purchaseBody: String {
        let product = canBuyLifetime ? "lifetime" : "coins.100"
        let token = shopper.appAccountToken.map { #","appAccountToken":"\#($0)""# } ?? ""
        return #"{"productId":"\#(product)"\#(token)}"#
    }

    /// The country and the purchases.
    fileprivate var summary: String {
        let subscriptions = account.subscriptions.map { "\($0.productId) \($0.statusName)" }
        let purchases = account.transactions.filter { !$0.isRenewable }
            .map { $0.revocationDate == nil ? $0.productId : "\($0.productId) refunded" }
        return "(\(shopper.storefront))  " + (subscriptions + purchases).joined(separator: ", ")
    }
}
