import AppStoreModel
import HTTPTypes
import Hummingbird
import HummingbirdCore
import LocalAppStore
import NIOCore

/// Apple's `/verifyReceipt`, and its fault injection.
///
/// It requires no bearer token and always answers 200; the result is `status`.
struct VerifyReceiptController: Sendable {
    /// The maximum size of a body; a receipt has about 600 characters per purchase.
    private static let bodyBytesMax = 8 << 20
    private static let faultMembers: Set<String> = ["status", "count", "isRetryable"]

    let coordinator: StoreCoordinator

    func addRoutes(to routes: inout RouteTable) {
        routes.any("/verifyReceipt", verifyReceipt)
        routes.get("/_store/faults/verify-receipt", fault)
        routes.put("/_store/faults/verify-receipt", setFault)
    }

    @Sendable private func verifyReceipt(_ request: Request, _ context: StoreContext) async throws -> Response {
        guard request.method == .post else { return Self.answer(LocalAppStore.answer(.notPosted)) }
        guard let body = try await Self.body(of: request) else { return Self.answer(LocalAppStore.answer(.malformed)) }
        return Self.answer(await coordinator.read { $0.verifyReceipt(VerifyReceiptRequest(body: body)) })
    }

    /// The body; `nil` if it exceeds the maximum size.
    private static func body(of request: Request) async throws -> [UInt8]? {
        do {
            return Array(buffer: try await request.body.collect(upTo: bodyBytesMax))
        } catch is NIOTooManyBytesError {
            return nil
        }
    }

    /// An answer with the headers of a deprecated call.
    ///
    /// - Source: the header was observed in answers of Apple's server.
    private static func answer(_ json: JSONObject) -> Response {
        var response = Response.json(json)
        if let deprecation = HTTPField.Name("Deprecation") {
            response.headers[deprecation] = LocalAppStore.receiptsDeprecation
        }
        return response
    }

    @Sendable private func fault(_ request: Request, _ context: StoreContext) async throws -> Response {
        .json(Self.faultJSON(await coordinator.read { $0.receiptFault }))
    }

    /// `{"status": null}` restores normal operation.
    @Sendable private func setFault(_ request: Request, _ context: StoreContext) async throws -> Response {
        let fields = try await request.fields(Self.faultMembers)
        guard fields.has("status") else {
            throw StoreCallError.invalid(
                "missing_field",
                "status is missing: give one of verifyReceipt, or null for none",
                path: "status"
            )
        }
        var fault: ReceiptFault?
        if let status = try fields.integer("status") {
            fault = try ReceiptFault(
                status: status,
                count: try fields.int32("count").map(Int.init),
                isRetryable: try fields.bool("isRetryable") ?? true
            )
        }
        await coordinator.read { [fault] store in store.setReceiptFault(fault) }
        return .json(Self.faultJSON(fault))
    }

    private static func faultJSON(_ fault: ReceiptFault?) -> JSONObject {
        guard let fault else { return ["status": .null] }
        var json: JSONObject = ["status": .integer(fault.status.rawValue), "isRetryable": .bool(fault.isRetryable)]
        if let count = fault.count { json["count"] = .integer(Int64(count)) }
        return json
    }
}
