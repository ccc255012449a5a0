import AppStoreModel
import LocalAppStore

extension StoreAction {
    static let families: [StoreAction] = [
        StoreAction("addFamilyMember", copies: 2) { driver in
            let held = try driver.activeSubscription { $0.productId == "home.monthly" || $0.productId == "home.yearly" }
            let member = try driver.newAccount()
            try driver.store.addFamilyMember(accountId: held.accountId, member: member)
            return "\(held.accountId) \(member)"
        },
        StoreAction("addFamilyMember: before the purchase") { driver in
            let (purchaser, member) = (try driver.newAccount(), try driver.newAccount())
            try driver.store.addFamilyMember(accountId: purchaser, member: member)
            let home = try driver.buy("home.monthly", for: purchaser)
            return "\(home.line) \(try driver.buy("lifetime", for: purchaser).line)"
        },
        StoreAction("removeFamilyMember") { driver in
            let (purchaser, member) = (try driver.newAccount(), try driver.newAccount())
            _ = try driver.buy("home.monthly", for: purchaser)
            try driver.store.addFamilyMember(accountId: purchaser, member: member)
            try driver.store.removeFamilyMember(accountId: purchaser, member: member)
            return "\(purchaser) \(member)"
        },
        StoreAction("removeFamilyMember: the purchaser stops sharing") { driver in
            let shared = try driver.subscription { $0.inAppOwnershipType == .familyShared && $0.status == .active }
            for accountId in driver.accountIds {
                let members = try driver.store.account(accountId).familyMembers
                guard members.contains(shared.accountId) else { continue }
                try driver.store.removeFamilyMember(accountId: accountId, member: accountId)
                return "\(accountId) from \(members.joined(separator: " "))"
            }
            throw NothingToActOn()
        },
        StoreAction("makeCustomerGroup") { driver in
            let (first, second) = (try driver.newAccount(), try driver.newAccount())
            let role = RoleEntry(productId: "team", role: .admin)
            let group = try driver.store.makeCustomerGroup(
                .organization,
                members: [.init(accountId: first, roles: [role]), .init(accountId: second)]
            )
            return "\(group.groupId) \(group.members.map(\.accountId).joined(separator: " "))"
        },
        StoreAction("endCustomerGroup") { driver in
            let member = try driver.newAccount()
            let group = try driver.store.makeCustomerGroup(.consumer, members: [.init(accountId: member)])
            try driver.store.endCustomerGroup(group.groupId)
            return group.groupId
        },
    ]

    static let seats: [StoreAction] = [
        StoreAction("purchaseSeats", copies: 2) { driver in
            let way = try driver.pick(InvitationManagement.documented)
            return try driver.sellSeats(3, invitationsBy: way).outcome.line
        },
        StoreAction("changeSeats: more", copies: 2) { driver in
            let id = try driver.sellSeats(2, invitationsBy: .developer).outcome.originalTransactionId
            return try driver.store.changeSeats(originalTransactionId: id, seats: 4).line
        },
        StoreAction("changeSeats: fewer") { driver in
            let held = try driver.team()
            let seats = try driver.store.seats(originalTransactionId: held.id)
            let fewer = max(1, seats.seats - 1)
            return try driver.store.changeSeats(originalTransactionId: held.id, seats: fewer).line
        },
        StoreAction("claimSeats", copies: 2) { driver in
            let id = try driver.sellSeats(3, invitationsBy: .developer).outcome.originalTransactionId
            let seats = try driver.store.claimSeats(originalTransactionId: id, count: 3)
            return seats.joined(separator: " ")
        },
        StoreAction("assignSeat", copies: 2) { driver in
            let (id, member) = try driver.memberWithSeat()
            return "\(id) \(member)"
        },
        StoreAction("withdrawSeat") { driver in
            let (id, member) = try driver.memberWithSeat()
            try driver.store.withdrawSeat(originalTransactionId: id, accountId: member)
            return "\(id) \(member)"
        },
        StoreAction("refundSeats") { driver in
            let outcome = try driver.sellSeats(3, invitationsBy: .developer).outcome
            _ = try driver.store.claimSeats(originalTransactionId: outcome.originalTransactionId, count: 3)
            try driver.store.refundSeats(transactionId: outcome.transactionId, seats: 1)
            return outcome.transactionId
        },
        StoreAction("refund: claimed seats") { driver in
            let outcome = try driver.sellSeats(2, invitationsBy: .developer).outcome
            _ = try driver.store.claimSeats(originalTransactionId: outcome.originalTransactionId, count: 2)
            return try driver.refund(outcome.transactionId)
        },
        StoreAction("refund: assigned seats") { driver in
            let id = try driver.memberWithSeat().id
            return try driver.refund(id)
        },
        StoreAction("extendRenewalDate: after the refund of a seat", endpoint: .extendSubscriptionRenewalDate) {
            driver in
            let outcome = try driver.sellSeats(3, invitationsBy: .developer).outcome
            try driver.store.refundSeats(transactionId: outcome.transactionId, seats: 1)
            return try driver.extend(outcome.originalTransactionId, byDays: 5)
        },
        StoreAction("extendRenewalDate: after the refund of added seats", endpoint: .extendSubscriptionRenewalDate) {
            driver in
            let id = try driver.sellSeats(2, invitationsBy: .developer).outcome.originalTransactionId
            let added = try driver.store.changeSeats(originalTransactionId: id, seats: 4)
            try driver.store.refund(transactionId: added.transactionId)
            return try driver.extend(id, byDays: 5)
        },
        StoreAction("setAutoRenew: of seats") { driver in
            let held = try driver.team()
            try driver.store.setAutoRenew(originalTransactionId: held.id, enabled: false)
            return held.id
        },
        StoreAction("setPayment: seats whose card is declined") { driver in
            let held = try driver.team()
            try driver.store.setPayment(accountId: held.accountId, state: .declined)
            return held.accountId
        },
    ]
}

extension TwoYearsDriver {
    /// Sells seats to a new account.
    fileprivate mutating func sellSeats(
        _ seats: Int,
        invitationsBy way: InvitationManagement
    ) throws -> (accountId: String, outcome: PurchaseOutcome) {
        let accountId = try newAccount()
        let outcome = try store.purchaseSeats(
            accountId: accountId,
            productId: "team",
            seats: seats,
            invitationManagement: way,
            appAccountToken: nextUUID()
        )
        return (accountId, outcome)
    }

    /// An active subscription with seats.
    fileprivate mutating func team() throws -> Held {
        let isTeam = { (report: SubscriptionReport) in
            report.productId == "team" && report.inAppOwnershipType == .purchased && report.status == .active
        }
        do { return try subscription(where: isTeam) } catch is NothingToActOn {
            _ = try sellSeats(3, invitationsBy: .developer)
            return try subscription(where: isTeam)
        }
    }

    /// The subscription of a new account, and the account that has a seat of it.
    fileprivate mutating func memberWithSeat() throws -> (id: String, member: String) {
        let id = try sellSeats(2, invitationsBy: .apple).outcome.originalTransactionId
        let member = try newAccount()
        _ = try store.assignSeat(originalTransactionId: id, accountId: member)
        return (id, member)
    }
}
