import AppStoreModel
import SubscriptionCore
import SubscriptionStorage

extension CampaignRunner {
    /// Makes the orders of a campaign, looks how far they are, and hands on the members of those that ended.
    func followOrders(_ work: CampaignWork) async throws(StorageError) {
        for order in try await massOrders(work) where !Task.isCancelled {
            guard order.checkAt.map({ $0 <= time.now() }) ?? true else { continue }
            switch order.state {
            case .waiting: try await make(order, work)
            case .accepted: try await look(at: order, work)
            case .complete, .ended: break
            }
        }
        try await handOnMembers(work)
    }

    private func massOrders(_ work: CampaignWork) async throws(StorageError) -> [MassExtensionOrder] {
        try await database.read { storage throws(StorageError) in
            try storage.massExtensionOrders(of: work.id, app: work.app)
        }
    }

    /// Makes an order, unless the campaign waits. One of a cancelled campaign is ended, if Apple does not have it.
    ///
    /// A week after the start or the cancel, it is ended too if Apple still refuses it without saying that it does not
    /// have it, or if the campaign is cancelled. While Apple is away, a running campaign waits.
    private func make(_ order: MassExtensionOrder, _ work: CampaignWork) async throws(StorageError) {
        let now = time.now()
        // The lease and the state are looked at right before the call.
        let state = try await changing(work) { campaign, storage, app throws(StorageError) -> ExtensionCampaign? in
            guard var row = try storage.massExtensionOrder(of: order.campaignID, for: order.productID, app: app),
                row.state == .waiting
            else { return nil }
            if row.askedAt == nil, campaign.state != .cancelled, !campaign.isPaused(at: now) {
                // After a pause, an earlier version may have asked before.
                row.askedAt = campaign.pauses > 0 ? campaign.startedAt ?? now : now
                try storage.save(row, of: app)
            }
            return campaign
        }
        guard let campaign = state ?? nil else { return }
        let result: OrderCalls.Result
        if campaign.state == .cancelled {
            result = await orders.known(order, otherwise: .refused(.campaignCancelled), app: work.app)
        } else if campaign.isPaused(at: now) {
            return
        } else {
            result = await orders.order(order, campaign.terms, app: work.app)
        }
        try await changeOrder(order, work) { row, campaign in
            guard row.state == .waiting else {
                if case .accepted = result { campaign.resume() }
                return
            }
            switch result {
            case .accepted:
                row.noteAccepted(at: now)
                campaign.resume()
            case .refused(let error): row.noteRefused(error, at: now)
            case .away(let error):
                let isLate = MassExtensionOrder.isLate(campaign.endedAt ?? campaign.startedAt, at: now)
                if campaign.state == .cancelled {
                    if isLate {
                        row.noteRefused(.orderUnconfirmed, at: now)
                    } else {
                        row.noteNoStatus(because: error.repeatedByCampaign(ofOrder: false), at: now)
                    }
                } else if isLate, error.isAnswer {
                    row.noteRefused(error, at: now)
                } else {
                    campaign.pause(because: error.repeatedByCampaign(ofOrder: true), at: now)
                }
            }
        }
    }

    private func look(at order: MassExtensionOrder, _ work: CampaignWork) async throws(StorageError) {
        let answer: Result<MassExtendRenewalDateStatusResponse, OperationError>
        do throws(OperationError) {
            answer = .success(try await orders.status(of: order, app: work.app))
        } catch {
            if Task.isCancelled { return }
            answer = .failure(error.repeatedByCampaign(ofOrder: false))
        }
        let now = time.now()
        try await changeOrder(order, work) { row, _ in
            guard row.state == .accepted else { return }
            switch answer {
            case .success(let status): row.noteStatus(status, at: now)
            case .failure(let error): row.noteNoStatus(because: error, at: now)
            }
        }
    }

    private func changeOrder(
        _ order: MassExtensionOrder,
        _ work: CampaignWork,
        _ body: @escaping @Sendable (inout MassExtensionOrder, inout ExtensionCampaign) -> Void
    ) async throws(StorageError) {
        _ = try await change(work) { campaign, storage, app throws(StorageError) in
            guard var row = try storage.massExtensionOrder(of: order.campaignID, for: order.productID, app: app) else {
                return false
            }
            body(&row, &campaign)
            try storage.save(row, of: app)
            return true
        }
    }

    /// Hands the members of orders that ended to single calls, or has them checked first.
    private func handOnMembers(_ work: CampaignWork) async throws(StorageError) {
        let now = time.now()
        var last: RenewalExtensionID?
        while !Task.isCancelled {
            let found = try await database.read { [last] storage throws(StorageError) in
                try (
                    campaign: storage.extensionCampaign(work.id, of: work.app),
                    orders: storage.massExtensionOrders(of: work.id, app: work.app),
                    members: storage.members(
                        of: work.id,
                        in: .ordered,
                        after: last,
                        app: work.app,
                        limit: Self.pageSize
                    )
                )
            }
            guard let campaign = found.campaign, campaign.terms.method == .mass, let next = found.members.last?.id,
                campaign.state == .cancelled || campaign.isEnlisted && found.orders.isEmpty
                    || found.orders.contains(where: { !$0.isOpen })
            else { return }
            last = next
            let orders = Dictionary(found.orders.map { ($0.productID, $0) }) { first, _ in first }
            // Orders are stored when everybody is enlisted. Until then a member waits for its order, unless the
            // campaign was cancelled. A member that has none then is asked about alone.
            let mayGetOrder = campaign.state != .cancelled && !campaign.isEnlisted
            let ready = found.members.filter { member in
                let order = member.productID.flatMap { orders[$0] }
                var trial = member
                return order?.isOpen ?? mayGetOrder ? false : trial.noteEnd(of: order, at: now)
            }
            if ready.isEmpty { continue }
            let goesOn = try await change(work) { campaign, storage, app throws(StorageError) in
                try storage.lockPurchases(of: ready, app: app)
                for member in ready {
                    guard var row = try storage.renewalExtension(member.id, of: app),
                        row.noteEnd(of: row.productID.flatMap { orders[$0] }, at: now)
                    else { continue }
                    try storage.count(&row, in: &campaign, app: app, at: now)
                }
                return true
            }
            guard goesOn else { return }
        }
    }
}

extension ExtensionCampaign {
    /// The orders at Apple for its members.
    var orders: [MassExtensionOrder] {
        guard terms.method == .mass else { return [] }
        return terms.productIDs.enumerated().filter { (enlisted.products[$1.rawValue] ?? 0) > 0 }.map {
            number,
            product in
            MassExtensionOrder(
                campaignID: id,
                productID: product,
                requestID: MassExtensionOrder.requestID(of: id, number: number + 1)
            )
        }
    }
}
