import AppStoreModel
import SubscriptionCore
import SubscriptionOperations
import SubscriptionStorage

extension JSONObject {
    /// Adds the newest refused claims of each purchase, and the number of older ones on the customer's own purchases.
    mutating func addRefusedClaims(_ claims: [RefusedClaimView], namesOthers: Bool) {
        self["refused_claims"] = .array(claims.map { .object(JSONObject(refused: $0, namesOther: namesOthers)) })
        let own = claims.filter { $0.role == .owner }.map(\.claim)
        let older = Dictionary(grouping: own, by: \.purchaseID).values.reduce(0) { sum, claims in
            sum + (claims.map(\.droppedBefore).max() ?? 0)
        }
        self["older_refused_claims"] = .integer(older)
    }

    private init(refused view: RefusedClaimView, namesOther: Bool) {
        self.init()
        self["object"] = .string("refused_claim")
        self["purchase_id"] = .string(view.claim.purchaseID.rawValue)
        self["claimed_at"] = .integer(view.claim.claimedAt.milliseconds)
        self["role"] = .string(view.role.rawValue)
        self["reason"] = .string(view.claim.reason.rawValue)
        self["transfer_policy"] = .string(view.claim.policy.rawValue)
        if namesOther { self["other_app_user_id"] = .text(view.other?.rawValue) }
        self["what_to_do"] = .string(RefusedClaimView.remedy)
    }
}
