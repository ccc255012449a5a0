/// The question who has a purchase, with everything that the rule of ownership may need to answer it.
///
/// What must be read from storage is optional: the rule names what it needs (``OwnershipStep/needs(_:)``), so that
/// nothing is read that decides nothing.
public struct OwnershipQuestion: Hashable, Sendable {
    /// That a customer submits the purchase.
    public struct Submission: Hashable, Sendable {
        /// The claim, with the identifier that the app used.
        public var claim: PurchaseClaim
        /// The customer whom that identifier stands for.
        public var customer: CustomerID

        /// Makes a submission.
        public init(claim: PurchaseClaim, customer: CustomerID) {
            self.claim = claim
            self.customer = customer
        }
    }

    /// Who owns the purchase now; nil where nobody does.
    public var owner: CustomerID?
    /// Why the owner has it; nil where nobody claimed it.
    public var basis: OwnershipBasis?
    /// The claim now; nil where only facts or time changed.
    public var submission: Submission?
    /// The newest signed account token of the purchase.
    public var accountToken: String?
    /// Whether this step brought the account token.
    public var isTokenNew: Bool
    /// The developer's choices about account tokens and anonymous identifiers.
    public var policy: AccessPolicy
    /// Whether the submitting identifier may become an alias of the owner.
    public var mayLink = true
    /// The customer whose alias the submitting identifier became; nil where it became none.
    public var linkedTo: CustomerID?
    /// What was read because the rule needed it.
    public var known = OwnershipKnowledge()

    /// Asks about a purchase; nothing was read yet.
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

    /// The same question after the submitting identifier became an alias of a customer. The claims may have changed by
    /// it.
    public func linked(to customer: CustomerID) -> OwnershipQuestion {
        var question = self
        question.submission?.customer = customer
        question.mayLink = false
        question.linkedTo = customer
        question.known = OwnershipKnowledge()
        return question
    }
}

/// What the rule of ownership needs to know before it can decide.
public enum OwnershipInput: Hashable, Sendable, Error {
    /// Who shares the purchase.
    case sharers
    /// The claims on the purchase, in order.
    case claims
    /// The customer for whom the account token stands.
    case tokenCustomer(CustomerID)
    /// The customers for whom identifiers stand, where those are others.
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

/// What was read for the rule of ownership; nil or absent where it was not read.
public struct OwnershipKnowledge: Hashable, Sendable {
    /// Who shares the purchase.
    public var sharers: [CustomerID]?
    /// The claims on the purchase, in order.
    public var claims: [PurchaseClaim]?
    /// The customer for whom the account token stands.
    public var tokenCustomer: CustomerID?
    /// The customers for whom the identifiers in the claims stand, where those are others.
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

/// What the rule of ownership wants next.
public enum OwnershipStep: Hashable, Sendable {
    /// Something must be read first; then the same question is asked again with it.
    case needs(OwnershipInput)
    /// An anonymous identifier becomes an alias of the customer who has the purchase. Then the question is asked again,
    /// as ``OwnershipQuestion/linked(to:)``; or with ``OwnershipQuestion/mayLink`` false, where it cannot become one.
    case links(alias: CustomerID, to: CustomerID)
    /// It is decided.
    case decided(OwnershipDecision)
}
