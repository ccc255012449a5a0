import AppStoreModel
import SubscriptionCore
import SubscriptionStorage

extension CampaignRunner {
    /// Makes the orders of a campaign, looks how far they are, and hands their remaining members to single calls.
    func followOrders(_ work: CampaignWork) async throws(StorageError) {
        let campaign = try await database.read { storage throws(StorageError) in
            try storage.extensionCampaign(work.id, of: work.app)
        }
        guard let campaign else { return }
        let isPaused = campaign.retryAt.map { $0 > time.now() } ?? false
        for order in try await massOrders(work) where !Task.isCancelled {
            switch order.state {
            case .waiting where campaign.state == .running && !isPaused: try await make(order, campaign.terms, work)
            case .accepted where order.lookAt.map({ $0 <= time.now() }) ?? true: try await look(at: order, work)
            default: break
            }
        }
        for order in try await massOrders(work) where !order.isOpen && !Task.isCancelled {
            try await release(order, work)
        }
    }

    private func massOrders(_ work: CampaignWork) async throws(StorageError) -> [MassExtensionOrder] {
        try await database.read { storage throws(StorageError) in
            try storage.massExtensionOrders(of: work.id, app: work.app)
        }
    }

    private func make(
        _ order: MassExtensionOrder,
        _ terms: ExtensionCampaign.Terms,
        _ work: CampaignWork
    ) async throws(StorageError) {
        var failure: OperationError?
        do throws(OperationError) {
            try await orders.order(order, terms, app: work.app)
        } catch {
            failure = error
        }
        let now = time.now()
        _ = try await change(work) { [failure] campaign, storage, app throws(StorageError) in
            guard var row = try storage.order(order, app: app), row.state == .waiting else { return false }
            switch failure {
            case nil:
                row.noteAccepted(at: now)
                campaign.resume()
            case let error? where error.isAnswer: row.noteRefused(error, at: now)
            case let error?: campaign.pause(because: error, at: now)
            }
            try storage.save(row, of: app)
            return true
        }
    }

    private func look(at order: MassExtensionOrder, _ work: CampaignWork) async throws(StorageError) {
        let status = try? await orders.status(of: order, app: work.app)
        let now = time.now()
        _ = try await change(work) { _, storage, app throws(StorageError) in
            guard var row = try storage.order(order, app: app), row.state == .accepted else { return false }
            if let status { row.noteStatus(status, at: now) } else { row.noteNoStatus(at: now) }
            try storage.save(row, of: app)
            return true
        }
    }

    /// Has the members checked that an ended order has not announced.
    private func release(_ order: MassExtensionOrder, _ work: CampaignWork) async throws(StorageError) {
        let now = time.now()
        guard let end = order.completedAt,
            order.failure != nil || end.adding(milliseconds: MassExtensionOrder.announcedWithin) <= now
        else { return }
        var last: RenewalExtensionID?
        while !Task.isCancelled {
            let page = try await database.read { [last] storage throws(StorageError) in
                try storage.members(of: work.id, in: .ordered, after: last, app: work.app, limit: Self.pageSize)
            }
            guard let next = page.last?.id else { return }
            last = next
            let silent = page.filter { $0.productID == order.productID && $0.checkAt == nil }
            if silent.isEmpty { continue }
            let goesOn = try await change(work) { _, storage, app throws(StorageError) in
                for member in silent {
                    guard var row = try storage.locked(member, app: app), row.state == .ordered else { continue }
                    row.checkAt = now
                    try storage.save(row, of: app)
                }
                return true
            }
            guard goesOn else { return }
        }
    }
}

extension StorageReading {
    /// The present row of an order.
    fileprivate func order(_ order: MassExtensionOrder, app: AppID) throws(StorageError) -> MassExtensionOrder? {
        try massExtensionOrders(of: order.campaignID, app: app).first { $0.productID == order.productID }
    }
}

extension ExtensionCampaign {
    /// The orders at Apple for its members.
    var orders: [MassExtensionOrder] {
        guard terms.method == .mass else { return [] }
        return terms.productIDs.enumerated().filter { (enlisted.products[$1.rawValue] ?? 0) > 0 }.map {
            number,
            product in
            MassExtensionOrder(campaignID: id, productID: product, requestID: "\(id.rawValue)-\(number + 1)")
        }
    }
}
