import AppStoreModel
package import Hummingbird
import SubscriptionCore
package import SubscriptionOperations
import SubscriptionStorage

/// Purchases that apps submit for their customers.
package struct TransactionsController: Sendable {
    private static let bodyBytesMax = 256 << 10

    private let ingestion: Ingestion
    private let reading: CustomerReading

    /// Makes the controller.
    package init(ingestion: Ingestion, reading: CustomerReading) {
        self.ingestion = ingestion
        self.reading = reading
    }

    /// Adds the routes.
    package func addRoutes(to group: RouterGroup<ServerRequestContext>) {
        group.post("transactions", use: submit)
    }

    /// Takes a signed transaction in and answers with the customer.
    private func submit(_ request: Request, context: ServerRequestContext) async throws -> Response {
        let app = try context.anyKey().appID
        let body = try await request.jsonObject(limit: Self.bodyBytesMax)
        try body.allowOnly(["app_user_id", "signed_transaction"])
        let customer = CustomerID(try body.requiredText("app_user_id"))
        let transaction = try body.requiredText("signed_transaction", bytesMax: Self.bodyBytesMax)
        try await ingestion.submit(signedTransaction: Array(transaction.utf8), customer: customer, app: app)
        return .json(JSONObject(customer: try await reading.customer(customer, of: app)))
    }
}
