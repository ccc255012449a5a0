import SubscriptionCore
import SubscriptionStorage

extension RenewalExtension: SampledRecord {
    static func sample(_ number: Int) -> RenewalExtension {
        var row = RenewalExtension(
            id: RenewalExtensionID(rawValue: "extension \(number % 19)"),
            purchaseID: OriginalTransactionID("\(number % 7)"),
            origin: Origin.allCases[number % 3],
            createdAt: Samples.time(Int64(number % 5)),
            state: State.allCases[number % 7],
            transactionID: TransactionID("\(number % 11)"),
            previousEnd: number.isMultiple(of: 3) ? nil : Samples.time(Int64(number))
        )
        row.days = number.isMultiple(of: 2) ? nil : number % 90
        row.reason = number.isMultiple(of: 5) ? nil : Reason.allCases[number % 4]
        row.newEnd = number.isMultiple(of: 7) ? nil : Samples.time(Int64(number) + 1)
        row.announcedAt = number.isMultiple(of: 2) ? nil : Samples.time(Int64(number) + 2)
        row.checkAt = number.isMultiple(of: 3) ? Samples.time(Int64(number % 4)) : nil
        row.checks = number % 4
        row.failure =
            number.isMultiple(of: 4) ? StoredFailure(code: "code \(number)", message: "Message \(number).") : nil
        row.campaignID = number.isMultiple(of: 3) ? nil : ExtensionCampaignID(rawValue: "campaign \(number % 5)")
        row.productID = number.isMultiple(of: 4) ? nil : ProductID("product.\(number % 3)")
        row.countedAs = number.isMultiple(of: 2) ? row.result : nil
        return row
    }
}

extension MassExtensionOrder: SampledRecord {
    static func sample(_ number: Int) -> MassExtensionOrder {
        var order = MassExtensionOrder(
            campaignID: ExtensionCampaignID(rawValue: "campaign \(number % 5)"),
            productID: ProductID("product.\(number % 3)"),
            requestID: "request \(number % 7)"
        )
        order.state = State.allCases[number % 4]
        order.askedAt = number.isMultiple(of: 3) ? nil : Samples.time(Int64(number) - 1)
        order.acceptedAt = number.isMultiple(of: 2) ? nil : Samples.time(Int64(number))
        order.checkAt = number.isMultiple(of: 3) ? nil : Samples.time(Int64(number) + 1)
        order.checks = number % 6
        order.completedAt = number.isMultiple(of: 5) ? Samples.time(Int64(number) + 2) : nil
        order.succeeded = number.isMultiple(of: 5) ? number : nil
        order.failed = number.isMultiple(of: 5) ? number + 1 : nil
        order.summaryAt = number.isMultiple(of: 7) ? Samples.time(Int64(number) + 3) : nil
        order.failure = number.isMultiple(of: 4) ? StoredFailure(code: "code", message: "Message.") : nil
        return order
    }
}

extension CampaignCountChange: SampledRecord {
    static func sample(_ number: Int) -> CampaignCountChange {
        CampaignCountChange(
            campaignID: ExtensionCampaignID(rawValue: "campaign \(number % 5)"),
            id: EvidenceID("notification:\(number % 11)"),
            counts: number.isMultiple(of: 3) ? [:] : ["ordered": -number, "extended:order": number]
        )
    }
}

extension ExtensionCampaign: SampledRecord {
    static func sample(_ number: Int) -> ExtensionCampaign {
        let window = Window(from: Samples.time(Int64(number)), to: Samples.time(Int64(number) + 1))
        let terms = Terms(
            productIDs: (0...number % 3).map { ProductID("product.\($0)") },
            storefronts: number.isMultiple(of: 2) ? nil : ["USA", "DEU"],
            days: 1 + number % 90,
            reason: RenewalExtension.Reason.allCases[number % 4],
            window: number.isMultiple(of: 3) ? window : nil,
            method: number.isMultiple(of: 5) ? nil : Method.allCases[number % 2]
        )
        var campaign = ExtensionCampaign(
            id: ExtensionCampaignID(rawValue: "campaign \(number % 17)"),
            createdAt: Samples.time(Int64(number % 5)),
            terms: terms,
            draftedBy: "digest \(number)"
        )
        campaign.state = State.allCases[number % 5]
        if !number.isMultiple(of: 4) {
            var run = DryRun(startedAt: Samples.time(Int64(number)))
            run.finishedAt = number.isMultiple(of: 3) ? nil : Samples.time(Int64(number) + 1)
            run.through = number.isMultiple(of: 5) ? nil : OriginalTransactionID("\(number)")
            run.counts = counts(number)
            campaign.dryRun = run
        }
        campaign.approvedAt = number.isMultiple(of: 2) ? nil : Samples.time(Int64(number))
        campaign.startedAt = number.isMultiple(of: 3) ? nil : Samples.time(Int64(number))
        campaign.endedAt = number.isMultiple(of: 5) ? nil : Samples.time(Int64(number))
        campaign.enlistedThrough = number.isMultiple(of: 2) ? nil : OriginalTransactionID("\(number)")
        campaign.isCounting = number.isMultiple(of: 3)
        campaign.isEnlisted = number.isMultiple(of: 7)
        campaign.enlisted = counts(number + 1)
        campaign.members = number.isMultiple(of: 3) ? [:] : ["extended": number, "refused:extension_expired": 1]
        campaign.pauses = number % 4
        campaign.retryAt = number.isMultiple(of: 2) ? Samples.time(Int64(number)) : nil
        campaign.failure = number.isMultiple(of: 6) ? StoredFailure(code: "code", message: "Message.") : nil
        return campaign
    }

    private static func counts(_ number: Int) -> CampaignCounts {
        var counts = CampaignCounts()
        counts.eligible = number
        counts.ineligible = number.isMultiple(of: 2) ? [:] : ["expired": 1, "limit_reached": number]
        counts.ineligibleProducts =
            number.isMultiple(of: 2) ? [:] : ["a:product\n": ["expired": 1, "limit_reached": 2]]
        counts.ineligibleStorefronts =
            number.isMultiple(of: 5) ? [:] : ["USA": ["expired": number], "": ["expired": 1]]
        counts.products = ["product.1": number, "a product\n100% odd": 1, "": 2]
        counts.storefronts = number.isMultiple(of: 3) ? [:] : ["USA": number]
        counts.renewals = ["USD": 9_990 * number]
        return counts
    }
}
