import AppStoreModel
import PerennialPrimitives

/// Changes of plan and families of synthetic customers.
extension LocalAppStore {
    /// Lets a subscriber in a paid period perhaps change the plan.
    ///
    /// - Returns: Whether a new period began.
    mutating func changesPlanAtOnce(_ customer: inout Customer, _ index: LedgerIndex<Subscription>) -> Bool {
        let behaviour = customer.behaviour
        let chosen: Set<PlanChange.Kind>
        // Each is drawn whatever the others came to, so that one share does not move the other choices.
        let wishes = [behaviour.upgrades, behaviour.downgrades, behaviour.crossgrades].map {
            customer.generator.happens($0)
        }
        if wishes[0] {
            chosen = [.upgrade]
        } else if wishes[1] {
            chosen = [.downgrade]
        } else if wishes[2] {
            chosen = [.crossgrade, .crossgradeAtRenewal]
        } else {
            return false
        }
        let subscription = ledger[index]
        let possible = catalog.subscriptions.filter { product in
            guard let terms = product.terms, terms.groupId == subscription.groupId,
                product.productId != subscription.renewalProductId
            else { return false }
            return chosen.contains(step(from: subscription, to: product, terms: terms))
        }
        guard let product = customer.generator.pick(possible), let terms = product.terms else { return false }
        let kind = step(from: subscription, to: product, terms: terms)
        carryOut(kind, of: index, to: product, terms: terms)
        return kind.isImmediate
    }

    /// Lets a customer who just bought a plan perhaps share it.
    mutating func foundFamily(_ customer: inout Customer) {
        guard customer.generator.happens(customer.behaviour.families), let account = customer.account,
            let subscription = customer.subscription,
            catalog.products[ledger[subscription].productId]?.isFamilyShareable == true
        else { return }
        let size = Int(customer.generator.instant(from: 1, to: Int64(FamilySharing.membersMax) + 1))
        for _ in 0..<size {
            let member = openAccount(in: ledger[account].storefront)
            ledger.family.add(member, to: account)
            shareEverything(of: account, with: member)
        }
    }

    /// Lets perhaps somebody leave the family of a customer.
    mutating func loseFamilyMember(_ customer: inout Customer) {
        guard let account = customer.account, case let members = ledger.family.members(of: account), !members.isEmpty,
            customer.generator.happens(customer.behaviour.familyDepartures),
            let member = customer.generator.pick(members)
        else { return }
        leaveFamily(member, of: account)
    }
}
