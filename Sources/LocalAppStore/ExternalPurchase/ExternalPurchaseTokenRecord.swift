public import AppStoreModel

/// A token for purchases outside the App Store, with its reports.
public struct ExternalPurchaseTokenRecord: Hashable, Sendable, Codable {
    /// Its identifier; in the sandbox it starts with `SANDBOX_`.
    public let externalPurchaseId: String
    /// The account.
    public let accountId: String
    /// When it was created, milliseconds since 1970.
    public let creationDate: Int64
    /// The type of a custom-link token; absent for other tokens.
    public let type: ExternalPurchaseTokenType?
    /// The expiration date of a custom-link token, milliseconds since 1970; absent for other tokens.
    public let expirationDate: Int64?
    /// The status in the newest report; absent if there is none.
    public internal(set) var reportedStatus: ExternalPurchaseReportStatus?
    /// Its reports, oldest first.
    public internal(set) var requestIdentifiers: [String] = []
    /// The number of reminders to the developer.
    var reminders = 0

    /// Whether a report ever contained transactions.
    var hasLineItems = false
}

/// All external purchase tokens and their reports.
struct ExternalPurchaseLedger: Sendable, Codable {
    private(set) var tokens: [ExternalPurchaseTokenRecord] = []
    private var positions: [String: Int] = [:]
    /// By request identifier in lower case.
    private(set) var reports: [String: ExternalPurchaseReport] = [:]
    /// The newest version of every line item.
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

    /// Adds a token, and returns its position.
    mutating func append(_ token: ExternalPurchaseTokenRecord) -> Int {
        positions[token.externalPurchaseId] = tokens.count
        tokens.append(token)
        return tokens.count - 1
    }

    /// Stores a report without errors.
    mutating func accept(_ report: ExternalPurchaseReport, _ items: [ReportedLineItem]) {
        reports[report.requestIdentifier.lowercased()] = report
        for item in items { lineItems[item.lineItemId] = item }
        guard let position = positions[report.externalPurchaseId] else { return }
        tokens[position].reportedStatus = report.status
        tokens[position].requestIdentifiers.append(report.requestIdentifier)
        if report.status == .lineItem { tokens[position].hasLineItems = true }
    }
}
