public import AppStoreModel

/// A token that stands for purchases outside the App Store, with what was reported about it.
public struct ExternalPurchaseTokenRecord: Hashable, Sendable, Codable {
    /// Its identity; in the sandbox it begins with `SANDBOX_`.
    public let externalPurchaseId: String
    /// Whose it is.
    public let accountId: String
    /// When it was made, milliseconds since 1970.
    public let creationDate: Int64
    /// What the token of a custom link is for; absent for other tokens.
    public let type: ExternalPurchaseTokenType?
    /// When the token of a custom link ends, milliseconds since 1970; absent for other tokens.
    public let expirationDate: Int64?
    /// What the newest report says of it; absent while there is none.
    public internal(set) var reportedStatus: ExternalPurchaseReportStatus?
    /// The reports about it, oldest first.
    public internal(set) var requestIdentifiers: [String] = []
    /// How often the developer was reminded of it.
    var reminders = 0

    /// Whether a report ever had transactions.
    var hasLineItems = false
}

/// Every external purchase token, and what was reported about them.
struct ExternalPurchaseLedger: Sendable, Codable {
    private(set) var tokens: [ExternalPurchaseTokenRecord] = []
    private var positions: [String: Int] = [:]
    /// By request identifier in lower case.
    private(set) var reports: [String: ExternalPurchaseReport] = [:]
    /// Everything that was reported, as its newest version has it.
    private(set) var lineItems: [String: ReportedLineItem] = [:]

    /// The keys of the store's file.
    private enum CodingKeys: String, CodingKey {
        case tokens, reports, lineItems
        case positions = "places"
    }

    subscript(position: Int) -> ExternalPurchaseTokenRecord {
        get { tokens[position] }
        _modify { yield &tokens[position] }
    }

    func position(of externalPurchaseId: String) -> Int? { positions[externalPurchaseId] }

    func report(_ requestIdentifier: String) -> ExternalPurchaseReport? { reports[requestIdentifier.lowercased()] }

    /// Adds a token, and says where it lies.
    mutating func append(_ token: ExternalPurchaseTokenRecord) -> Int {
        positions[token.externalPurchaseId] = tokens.count
        tokens.append(token)
        return tokens.count - 1
    }

    /// Keeps a report in which nothing is wrong.
    mutating func accept(_ report: ExternalPurchaseReport, _ items: [ReportedLineItem]) {
        reports[report.requestIdentifier.lowercased()] = report
        for item in items { lineItems[item.lineItemId] = item }
        guard let position = positions[report.externalPurchaseId] else { return }
        tokens[position].reportedStatus = report.status
        tokens[position].requestIdentifiers.append(report.requestIdentifier)
        if report.status == .lineItem { tokens[position].hasLineItems = true }
    }
}
