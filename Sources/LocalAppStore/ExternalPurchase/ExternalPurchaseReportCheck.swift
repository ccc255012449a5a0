import AppStoreModel
import PerennialPrimitives

/// Checks a report as Apple does: all errors are reported at once.
struct ExternalPurchaseReportCheck {
    private let ledger: ExternalPurchaseLedger
    private let now: Int64
    private var errors: [ExternalPurchaseReportError] = []
    private(set) var items: [ReportedLineItem] = []

    init(against ledger: ExternalPurchaseLedger, now: Int64) {
        self.ledger = ledger
        self.now = now
    }

    /// Reads a report without errors.
    mutating func read(_ json: JSONObject) throws(ExternalPurchaseRefusal) -> ExternalPurchaseReport {
        let token = try checkEnvelope(json)
        for element in json["lineItems"]?.arrayValue ?? [] {
            guard let object = element.objectValue else { throw ExternalPurchaseRefusal([]) }
            var check = LineItemCheck(object, now: now)
            do throws(ModelError) {
                if let item = try check.read() { items.append(item) }
            } catch {
                throw ExternalPurchaseRefusal([])
            }
            errors += check.errors
        }
        if let token {
            var relations = LineItemRelations(items, against: ledger, token: token, now: now)
            relations.check()
            errors += relations.errors
        }
        guard errors.isEmpty else { throw ExternalPurchaseRefusal(errors) }
        do throws(ModelError) {
            return try ExternalPurchaseReport(json: json)
        } catch {
            throw ExternalPurchaseRefusal([])
        }
    }

    /// Checks the report without its line items, and finds its token.
    private mutating func checkEnvelope(
        _ json: JSONObject
    ) throws(ExternalPurchaseRefusal) -> ExternalPurchaseTokenRecord? {
        let identifier = try text("requestIdentifier", of: json)
        if let identifier {
            guard identifier.isUUID else { throw ExternalPurchaseRefusal([]) }
            require(ledger.report(identifier) == nil, .duplicateValue, "requestIdentifier")
        }
        let token = try text("externalPurchaseId", of: json).flatMap { id in
            let position = ledger.position(of: id)
            require(position != nil, .notFound, "externalPurchaseId")
            return position.map { ledger[$0] }
        }
        if let lineItems = json["lineItems"], !lineItems.isNull, lineItems.arrayValue == nil {
            throw ExternalPurchaseRefusal([])
        }
        guard let status = try text("status", of: json).map(ExternalPurchaseReportStatus.init(rawValue:)) else {
            return token
        }
        require(status.isDocumented, .unknownEnum, "status")
        let hasLineItems = json["lineItems"]?.arrayValue?.isEmpty == false
        if status == .lineItem {
            require(hasLineItems, .missingLineItemsForStatus, "lineItems")
        } else if status.isDocumented {
            require(!hasLineItems, .lineItemsNotAllowedForStatus, "lineItems")
        }
        if let token { check(status, of: token) }
        return token
    }

    private mutating func check(_ status: ExternalPurchaseReportStatus, of token: ExternalPurchaseTokenRecord) {
        switch status {
        case .noLineItem, .unrecognizedToken:
            require(!token.hasLineItems, .lineItemStatusRegression, "status")
        case .duplicateToken: require(token.type != nil, .duplicateTokenStatusNotAllowed, "status")
        default: break
        }
    }

    /// A required text.
    private mutating func text(_ key: String, of json: JSONObject) throws(ExternalPurchaseRefusal) -> String? {
        guard json.has(key) else {
            require(false, .omittedField, key)
            return nil
        }
        guard let text = json[key]?.stringValue else { throw ExternalPurchaseRefusal([]) }
        return text
    }

    private mutating func require(_ condition: Bool, _ code: ExternalPurchaseErrorCode, _ field: String) {
        if !condition { errors.append(ExternalPurchaseReportError(code, field: field)) }
    }
}
