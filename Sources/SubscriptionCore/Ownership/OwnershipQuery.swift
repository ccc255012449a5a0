/// The input of the ownership rule: the current ownership, the submission, and what was read from storage so far.
///
/// The rule requests further input from storage only when it needs it (``OwnershipStep/needs(_:)``).
public struct OwnershipQuery: Hashable, Sendable {
    /// The submission of the purchase by a customer.
    public struct Submission: Hashable, Sendable {
        /// The claim, with the identifier that the app used.
        public var claim: PurchaseClaim
        /// The customer of that identifier.
        public var customer: CustomerID

        /// Makes a submission.
        public init(claim: PurchaseClaim, customer: CustomerID) {
            self.claim = claim
            self.customer = customer
        }
    }

    /// The current owner; nil if there is none.
    public var owner: CustomerID?
    /// Why the owner has it; nil if there is no claim.
    public var basis: OwnershipBasis?
    /// The current submission; nil if only facts or time changed.
    public var submission: Submission?
    /// The newest signed account token of the purchase.
    public var accountToken: String?
    /// Whether this step brought the account token.
    public var isTokenNew: Bool
    /// The developer's policy on account tokens and anonymous identifiers.
    public var policy: AccessPolicy
    /// Whether the submitting identifier may become an alias of the owner.
    public var mayLink = true
    /// The customer whose alias the submitting identifier became; nil if it became none.
    public var linkedTo: CustomerID?
    /// What was read for the rule.
    public var known = OwnershipKnowledge()

    /// Makes a query before anything was read.
    public init(
        owner: CustomerID?,
        basis: OwnershipBasis?,
        submission: Submission? = nil,
        accountToken: String? = nil,
        isTokenNew: Bool = false,
        policy: AccessPolicy = AccessPolicy()
    ) {
        self.owner = owner
        self.basis = basis
        self.submission = submission
        self.accountToken = accountToken
        self.isTokenNew = isTokenNew
        self.policy = policy
    }

    /// The same query after the submitting identifier became an alias of a customer. This may have changed the claims.
    public func linked(to customer: CustomerID) -> OwnershipQuery {
        var query = self
        query.submission?.customer = customer
        query.mayLink = false
        query.linkedTo = customer
        query.known = OwnershipKnowledge()
        return query
    }
}

/// Data that the ownership rule needs before it can decide.
public enum OwnershipInput: Hashable, Sendable, Error {
    /// Who shares the purchase.
    case sharers
    /// The claims on the purchase, in order.
    case claims
    /// The customer of the account token.
    case tokenCustomer(CustomerID)
    /// The customers of those identifiers that are aliases.
    case customers(Set<CustomerID>)
    /// Whether the purchase gave access at these times.
    case accessHistory([Timestamp])
    /// All identifiers of a customer, the customer's own first.
    case identifiers(CustomerID)
    /// The claims that were made by an identifier, on any purchase.
    case claimsBy(CustomerID)
    /// Why a customer has each of their purchases.
    case bases(CustomerID)
    /// Whether a customer has been granted anything.
    case grants(CustomerID)
}

/// The data that was read for the ownership rule; nil or absent if it was not read.
public struct OwnershipKnowledge: Hashable, Sendable {
    /// Who shares the purchase.
    public var sharers: [CustomerID]?
    /// The claims on the purchase, in order.
    public var claims: [PurchaseClaim]?
    /// The customer of the account token.
    public var tokenCustomer: CustomerID?
    /// The customer of each identifier in the claims that is an alias.
    public var customers: [CustomerID: CustomerID]?
    /// Whether the purchase gave access at the times of the claims.
    public var history: AccessHistory?
    /// By customer: all identifiers.
    public var identifiers: [CustomerID: [CustomerID]] = [:]
    /// By identifier: the claims that were made by it.
    public var claimsBy: [CustomerID: [PurchaseClaim]] = [:]
    /// By customer: the basis of each purchase.
    public var bases: [CustomerID: [OwnershipBasis?]] = [:]
    /// By customer: whether anything was granted.
    public var hasGrants: [CustomerID: Bool] = [:]

    /// Makes knowledge of nothing.
    public init() {}
}

/// The next step of the ownership rule.
public enum OwnershipStep: Hashable, Sendable {
    /// The caller must read this and run the rule again.
    case needs(OwnershipInput)
    /// The caller must make an anonymous identifier an alias of the owner and run the rule again with
    /// ``OwnershipQuery/linked(to:)``. If that is not possible, it must set ``OwnershipQuery/mayLink`` to false.
    case links(alias: CustomerID, to: CustomerID)
    /// The decision.
    case decided(OwnershipDecision)
}
