import AppStoreModel
import PerennialPrimitives

extension LocalAppStore {
    /// How long a customer must be without a subscription to get a new number.
    private static let subscriberGapMax = 180 * Milliseconds.day

    private static let subscriberColumns = [
        "Event Date", "App Name", "App Apple ID", "Subscription Name", "Subscription Apple ID",
        "Subscription Group ID", "Standard Subscription Duration", "Subscription Offer Name", "Promotional Offer ID",
        "Subscription Offer Type", "Subscription Offer Duration", "Marketing Opt-In Duration", "Customer Price",
        "Customer Currency", "Developer Proceeds", "Proceeds Currency", "Preserved Pricing", "Proceeds Reason",
        "Client", "Device", "Country", "Subscriber ID", "Subscriber ID Reset", "Refund", "Purchase Date", "Units",
    ]

    /// The payments and refunds of subscribers on a day, without names; `nil` if there were none.
    func subscriberReport(of day: PacificDay) -> String? {
        var payments: [(SubscriptionReplay.Payment, isSeasoned: Bool)] = []
        var lives: [LedgerIndex<Account>: [Range<Int64>]] = [:]
        replayAll(before: day.end) { index, replay in
            lives[ledger[index].account, default: []] += replay.lives
            for payment in replay.payments where payment.date >= day.start {
                payments.append((payment, replay.seasoned.contains(payment.transaction)))
            }
        }
        guard !payments.isEmpty else { return nil }
        payments.sort { ($0.0.date, $0.0.transaction.offset) < ($1.0.date, $1.0.transaction.offset) }
        let lines = payments.map { payment, isSeasoned in
            let account = ledger[payment.transaction].account
            let number = Self.generation(at: payment.date, of: lives[account] ?? [])
            return line(of: payment, on: day, isSeasoned: isSeasoned, account: account, generation: number)
        }
        return ([Self.subscriberColumns] + lines).map { $0.joined(separator: "\t") + "\n" }.joined()
    }

    /// How often a customer had returned after a long absence.
    ///
    /// - Returns: The number of long gaps before a time, and whether the customer returns at that time.
    private static func generation(at date: Int64, of lives: [Range<Int64>]) -> (count: Int, isReturn: Bool) {
        var count = 0
        var isReturn = false
        var end: Int64?
        for life in lives.sorted(by: { $0.lowerBound < $1.lowerBound }) where life.lowerBound <= date {
            if let end, life.lowerBound - end > subscriberGapMax {
                count += 1
                isReturn = life.lowerBound == date
            }
            end = max(end ?? life.upperBound, life.upperBound)
        }
        return (count, isReturn)
    }

    private func line(
        of payment: SubscriptionReplay.Payment,
        on day: PacificDay,
        isSeasoned: Bool,
        account: LedgerIndex<Account>,
        generation: (count: Int, isReturn: Bool)
    ) -> [String] {
        let transaction = ledger[payment.transaction]
        let storefront = storefront(of: payment.transaction)
        let proceeds = proceeds(of: payment.amount, isSeasoned: isSeasoned, storefront: storefront)
        let charged = ledger.journal.chargeDate(of: transaction)
        let offer = transaction.offer
        return [day.text] + productCells(of: transaction.productId, groupId: transaction.groupId) + [
            offer?.reportName ?? "", offer?.reportIdentifier ?? "", offer?.reportType ?? "",
            offer?.period.map(ReportText.duration) ?? "", "", ReportText.amount(payment.amount), storefront.currency,
            ReportText.amount(proceeds), storefront.currency, hasPreservedPrice(transaction) ? "Yes" : "",
            isSeasoned ? "Rate After One Year" : "", "", Self.reportDevice, storefront.twoLetterCountry,
            subscriberId(of: account, generation: generation.count), generation.isReturn ? "Yes" : "",
            payment.units < 0 ? "Yes" : "", payment.date == charged ? "" : PacificDay(charged).text,
            String(payment.units),
        ]
    }

    /// An anonymous number of a customer: twelve digits computed from the store's seed.
    private func subscriberId(of account: LedgerIndex<Account>, generation: Int) -> String {
        var generator = SplitMix64(
            seed: configuration.seed &+ UInt64(account.offset) &* 0x9e6c_63d0_676a_9a99 &+ UInt64(generation)
                &* 0xd6e8_feb8_6659_fd93
        )
        return String(100_000_000_000 + generator.next() % 900_000_000_000)
    }
}
