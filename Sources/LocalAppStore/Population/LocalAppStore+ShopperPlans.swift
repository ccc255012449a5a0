import AppStoreModel
import PerennialPrimitives

/// Plan changes and families of synthetic customers.
extension LocalAppStore {
    /// May change the plan of a subscriber in a paid period.
    ///
    /// - Returns: Whether a new period started.
    mutating func changesPlanAtOnce(_ shopper: inout SyntheticShopper, _ index: LedgerIndex<Subscription>) -> Bool {
        let behaviour = shopper.behaviour
        let chosen: Set<PlanChange.Kind>
        // Each number is drawn regardless of the other results, so that one probability does not affect the other
        // choices.
        let wishes = [behaviour.upgrades, behaviour.downgrades, behaviour.crossgrades].map {
            shopper.generator.happens($0)
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
            return chosen.contains(kindOfChange(from: subscription, to: product, terms: terms))
        }
        guard let product = shopper.generator.pick(possible), let terms = product.terms else { return false }
        let kind = kindOfChange(from: subscription, to: product, terms: terms)
        carryOut(kind, of: index, to: product, terms: terms)
        return kind.isImmediate
    }

    /// May share the plan of a customer who just bought it.
    mutating func foundFamily(_ shopper: inout SyntheticShopper) {
        guard shopper.generator.happens(shopper.behaviour.families), let account = shopper.account,
            let subscription = shopper.subscription,
            catalog.products[ledger[subscription].productId]?.isFamilyShareable == true
        else { return }
        let size = Int(shopper.generator.integer(from: 1, to: Int64(FamilySharing.membersMax) + 1))
        for _ in 0..<size {
            let member = openAccount(in: ledger[account].storefront)
            ledger.family.add(member, to: account)
            shareEverything(of: account, with: member)
        }
    }

    /// May remove a member from the family of a customer.
    mutating func loseFamilyMember(_ shopper: inout SyntheticShopper) {
        guard let account = shopper.account, case let members = ledger.family.members(of: account), !members.isEmpty,
            shopper.generator.happens(shopper.behaviour.familyDepartures),
            let member = shopper.generator.pick(members)
        else { return }
        leaveFamily(member, of: account)
    }
}
