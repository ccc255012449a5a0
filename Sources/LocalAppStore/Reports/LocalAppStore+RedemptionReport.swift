import AppStoreModel

extension LocalAppStore {
    private static let redemptionColumns = [
        "Date", "App Name", "App Apple ID", "Subscription Name", "Subscription Apple ID", "Offer Reference Name",
        "Offer Code", "Territory", "Redemptions",
    ]

    /// The redemptions of subscription offer codes on a day; `nil` if there were none.
    func redemptionReport(of day: PacificDay) -> String? {
        let columns = Self.redemptionColumns
        var table = ReportTable(columns: columns, counted: columns.count - 1..<columns.count)
        for redemption in ledger.offerCodes.redemptions
        where redemption.isOfSubscription && (day.start..<day.end).contains(redemption.date) {
            let product = productCells(of: redemption.offer.productId, groupId: nil).prefix(4)
            table.add(
                [day.text] + product + [redemption.offer.name, redemption.code ?? "", redemption.territory],
                ["Redemptions": 1]
            )
        }
        return table.isEmpty ? nil : table.text { _, _ in false }
    }
}
