import SubscriptionCore
import SubscriptionStorage

extension CampaignRunner {
    /// The number of pages between two commits.
    private static let pagesPerCommit = 20

    /// Counts who can be extended, from where the last commit ended.
    func tryOut(_ work: CampaignWork) async throws(StorageError) {
        var goesOn = true
        while goesOn, !Task.isCancelled {
            let campaign = try await database.read { storage throws(StorageError) in
                try storage.extensionCampaign(work.id, of: work.app)
            }
            guard let campaign, let start = campaign.dryRun, start.finishedAt == nil else { return }
            let run = try await counted(start, campaign.terms, app: work.app)
            goesOn = try await change(work) { campaign, _, _ throws(StorageError) in
                // It may have been cancelled.
                guard campaign.dryRun == start else { return false }
                campaign.dryRun = run
                return run.finishedAt == nil
            }
        }
    }

    private func counted(
        _ start: ExtensionCampaign.DryRun,
        _ terms: ExtensionCampaign.Terms,
        app: AppID
    ) async throws(StorageError) -> ExtensionCampaign.DryRun {
        var run = start
        for _ in 0..<Self.pagesPerCommit {
            let page = try await candidates(for: terms, after: run.through, app: app)
            for candidate in page.candidates { run.counts.add(candidate) }
            guard let last = page.last else {
                run.finishedAt = time.now()
                break
            }
            run.through = last
        }
        return run
    }

    /// A page of candidates, as they are now.
    func candidates(
        for terms: ExtensionCampaign.Terms,
        after id: OriginalTransactionID?,
        app: AppID
    ) async throws(StorageError) -> CampaignCandidates {
        let now = time.now()
        return try await database.read { [policy] storage throws(StorageError) in
            try storage.campaignCandidates(
                for: terms,
                after: id,
                limit: Self.pageSize,
                at: now,
                app: app,
                policy: policy
            )
        }
    }
}
