import AppStoreModel

extension LocalAppStore {
    private static let eventColumns = [
        "Event Date", "Event", "App Name", "App Apple ID", "Subscription Name", "Subscription Apple ID",
        "Subscription Group ID", "Standard Subscription Duration", "Subscription Offer Type",
        "Subscription Offer Duration", "Marketing Opt-In", "Marketing Opt-In Duration", "Preserved Pricing",
        "Proceeds Reason", "Subscription Offer Name", "Promotional Offer ID", "Consecutive Paid Periods",
        "Original Start Date", "Device", "Client", "State", "Country", "Previous Subscription Name",
        "Previous Subscription Apple ID", "Days Before Canceling", "Cancellation Reason", "Days Canceled", "Quantity",
    ]

    /// The events of subscriptions on a day; `nil` if there were none.
    func subscriptionEventReport(of day: PacificDay, version: String) -> String? {
        let columns = Self.eventColumns
        var table = ReportTable(columns: columns, counted: columns.count - 1..<columns.count)
        replayAll(before: day.end) { index, replay in
            for event in replay.events where event.date >= day.start {
                let isSeasoned = replay.seasoned.contains(event.transaction)
                table.add(
                    [day.text, event.event.name(inVersion: version)]
                        + cells(of: event, subscription: index, isSeasoned: isSeasoned),
                    ["Quantity": 1]
                )
            }
        }
        return table.isEmpty ? nil : table.text { _, _ in false }
    }

    private func cells(
        of event: SubscriptionReplay.Event,
        subscription index: LedgerIndex<Subscription>,
        isSeasoned: Bool
    ) -> [String] {
        let transaction = ledger[event.transaction]
        let offer = transaction.offer
        let previous = event.previousProductId
        return productCells(of: transaction.productId, groupId: transaction.groupId) + [
            offer?.reportType ?? "", offer?.period.map(ReportText.duration) ?? "", "", "",
            hasPreservedPrice(transaction) ? "Yes" : "", isSeasoned ? "Rate After One Year" : "",
            offer?.reportName ?? "", offer?.reportIdentifier ?? "", String(event.paidPeriods),
            PacificDay(ledger[index].originalPurchaseDate).text, Self.reportDevice, "", "",
            storefront(of: event.transaction).twoLetterCountry,
            previous.map { catalog.products[$0]?.referenceName ?? $0 } ?? "",
            previous.map { String(StoreIdentifier.adamId(ofProduct: $0)) } ?? "",
            event.daysBeforeCanceling.map { String($0) } ?? "", event.cancellationReason ?? "",
            event.daysCanceled.map { String($0) } ?? "",
        ]
    }
}
