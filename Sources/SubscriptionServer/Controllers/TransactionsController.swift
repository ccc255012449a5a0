import AppStoreModel
package import Hummingbird
import SubscriptionCore
package import SubscriptionOperations
import SubscriptionStorage

/// Submissions of purchases for customers.
package struct TransactionsController: Sendable {
    /// Enough for an app receipt with ten thousand purchases in base64.
    static let bodyBytesMax = 6 << 20
    private static let signedBytesMax = 256 << 10
    private static let forms =
        ["signed_transaction", "app_receipt"] + identifiers.map(\.name)
    /// The identifiers with their maximum number of bytes.
    private static let identifiers:
        [(name: String, bytesMax: Int, identifier: @Sendable (String) throws -> PurchaseIdentifier)] = [
            ("transaction_id", 64, { .transaction($0) }),
            ("original_transaction_id", 64, { .originalTransaction($0) }),
            ("app_transaction_id", 64, { .appTransaction($0) }),
            ("order_id", 64, { .order(try $0.orderNumber()) }),
            ("transaction_receipt", signedBytesMax, { .transactionReceipt($0) }),
        ]

    private let ingestion: Ingestion
    private let lookup: PurchaseLookup
    private let reading: CustomerReading

    /// Makes the controller.
    package init(ingestion: Ingestion, lookup: PurchaseLookup, reading: CustomerReading) {
        self.ingestion = ingestion
        self.lookup = lookup
        self.reading = reading
    }

    /// Adds the routes.
    package func addRoutes(to group: RouterGroup<ServerRequestContext>) {
        group.post("transactions", use: submit)
    }

    /// Whether a server submits a purchase from before it existed.
    private static func omitsEvents(_ body: JSONObject, _ context: ServerRequestContext) throws -> Bool {
        guard let events = try body.optionalText("events") else { return false }
        // An app must not hide a purchase from the readers of the feed.
        _ = try context.secretKey()
        switch events {
        case "backfill": return false
        case "none": return true
        default: throw APIError.invalid("events", "Give backfill or none.")
        }
    }

    /// Ingests a purchase in one of its forms and responds with the customer.
    private func submit(_ request: Request, context: ServerRequestContext) async throws -> Response {
        let key = try context.anyKey()
        let app = key.appID
        let body = try await request.jsonObject(limit: Self.bodyBytesMax)
        try body.allowOnly(Set(Self.forms + ["app_user_id", "anonymous", "events"]))
        let customer = CustomerID(try body.requiredText("app_user_id"))
        context.names(customer)
        let claimant = Claimant(
            customer,
            isSubmittedByServer: key.kind == .secret,
            isAnonymous: try body.flag("anonymous"),
            omitsEventsOfNewPurchases: try Self.omitsEvents(body, context)
        )
        let given = Self.forms.filter { name in body[name].map { $0 != .null } ?? false }
        guard given.count <= 1 else {
            throw APIError.invalid(given[1], "Give one of \(Self.forms.joined(separator: ", ")), not \(given.count).")
        }
        if let form = Self.identifiers.first(where: { $0.name == given.first }) {
            // An identifier can be guessed, so a publishable key may not claim a purchase by it.
            _ = try context.secretKey()
            let text = try body.requiredText(form.name, bytesMax: form.bytesMax)
            try await lookup.submit(try form.identifier(text), claimant: claimant, app: app, permit: context.permit)
            return .json(try await answer(about: customer, of: app, context))
        }
        switch given.first {
        case "app_receipt":
            let receipt = try body.requiredText("app_receipt", bytesMax: Self.bodyBytesMax)
            try await lookup.submit(appReceipt: receipt, claimant: claimant, app: app, permit: context.permit)
        case nil: throw APIError.nothingSubmitted(Self.forms)
        default:
            let transaction = try body.requiredText("signed_transaction", bytesMax: Self.signedBytesMax)
            try await ingestion.submit(signedTransaction: Array(transaction.utf8), claimant: claimant, app: app)
        }
        return .json(try await answer(about: customer, of: app, context))
    }

    private func answer(
        about customer: CustomerID,
        of app: AppID,
        _ context: ServerRequestContext
    ) async throws -> JSONObject {
        let view = try await reading.customer(customer, of: app)
        return JSONObject(customer: view, for: try context.audience(asking: customer))
    }
}

extension APIError {
    /// A body without a purchase.
    fileprivate static func nothingSubmitted(_ forms: [String]) -> APIError {
        APIError(
            .badRequest,
            .invalidRequest,
            "parameter_missing",
            "The body contains no purchase. Give one of \(forms.joined(separator: ", ")).",
            parameter: forms.first
        )
    }
}
