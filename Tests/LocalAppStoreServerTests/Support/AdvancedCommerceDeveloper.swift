import AppStoreModel
import AppStoreSigning
import NIOHTTP1
import Testing

/// A developer with Advanced Commerce: signs requests for apps, and calls the store from a server.
struct AdvancedCommerceDeveloper {
    /// Members of a request to change, or to omit if they are `nil`.
    typealias Changes = [String: JSONValue?]

    var tour: AppleTour
    private var requests = 0

    init(_ tour: AppleTour) { self.tour = tour }

    init(_ store: RunningStore) { self.init(AppleTour(store)) }

    /// The identification of a request, never the same twice.
    mutating func requestInfo() -> JSONValue {
        requests += 1
        return ["requestReferenceId": .string("7d5a0a2e-0000-4000-8000-00000001\(1_000 + requests)")]
    }

    // MARK: - Requests that apps hand to the store

    /// A subscription of two items, 6 and 4 dollars a month.
    mutating func subscription(_ changes: Changes = [:]) -> JSONObject {
        changed(
            [
                "operation": "CREATE_SUBSCRIPTION", "version": "1", "requestInfo": requestInfo(), "currency": "USD",
                "storefront": "USA", "taxCode": "C003-00-2", "period": "P1M",
                "descriptors": ["description": "Two channels", "displayName": "Bundle"],
                "items": [Self.item("news", 6_000), Self.item("sport", 4_000)],
            ],
            changes
        )
    }

    /// A one-time charge.
    mutating func charge(_ changes: Changes = [:]) -> JSONObject {
        changed(
            [
                "operation": "CREATE_ONE_TIME_CHARGE", "version": "1", "requestInfo": requestInfo(), "currency": "USD",
                "taxCode": "C003-00-2", "item": Self.item("course", 49_990),
            ],
            changes
        )
    }

    /// A change of a subscription's items.
    mutating func modification(of id: String, _ changes: Changes) -> JSONObject {
        changed(
            [
                "operation": "MODIFY_SUBSCRIPTION", "version": "1", "requestInfo": requestInfo(),
                "transactionId": .string(id), "retainBillingCycle": true,
            ],
            changes
        )
    }

    /// A cancelled subscription that is renewed again.
    mutating func reactivation(of id: String, _ changes: Changes = [:]) -> JSONObject {
        changed(
            [
                "operation": "REACTIVATE_SUBSCRIPTION", "version": "1", "requestInfo": requestInfo(),
                "transactionId": .string(id),
            ],
            changes
        )
    }

    static func item(_ sku: String, _ price: Int64, _ changes: Changes = [:]) -> JSONValue {
        .object(
            changed(
                [
                    "SKU": .string(sku), "description": .string("All of \(sku)"), "displayName": .string(sku),
                    "price": .integer(price),
                ],
                changes
            )
        )
    }

    static func offer(_ price: Int64, _ changes: Changes = [:]) -> JSONValue {
        .object(
            changed(
                ["period": "P1M", "periodCount": 1, "price": .integer(price), "reason": "ACQUISITION"],
                changes
            )
        )
    }

    /// Replaces the news item immediately.
    static func change(_ changes: Changes = [:]) -> JSONValue {
        let change: Changes = ["currentSKU": "news", "effective": "IMMEDIATELY", "reason": "UPGRADE"]
        return item("papers", 8_000, change.merging(changes) { $1 })
    }

    static func refund(_ sku: String, _ changes: Changes = [:]) -> JSONValue {
        .object(
            changed(
                ["SKU": .string(sku), "refundReason": "OTHER", "refundType": "FULL", "revoke": true],
                changes
            )
        )
    }

    /// Sells with a signed request, and returns the transaction identifier.
    mutating func sell(
        _ request: JSONObject,
        to account: String = "anna",
        as productId: String = "pro.monthly",
        in storefront: JSONValue = "USA"
    ) async throws -> String {
        _ = try await tour.store.post("/_store/accounts", ["accountId": .string(account), "storefront": storefront])
        let answer = try await hand(request, of: account, as: productId)
        #expect(answer.status == 200, "\(answer.text)")
        return answer.json["transactionId"].id
    }

    /// Sends a signed request for which Apple has an error.
    mutating func refuses(
        _ code: Int64,
        _ request: JSONObject,
        of account: String = "anna",
        as productId: String = "pro.monthly"
    ) async throws {
        let answer = try await hand(request, of: account, as: productId)
        let message = answer.json["error"]["message"].id
        #expect(answer.status == 422 && answer.errorCode == "advanced_commerce_refused", "\(code): \(answer.text)")
        #expect(message.hasPrefix("\(code) "), "\(code): \(message)")
        if message.hasPrefix("\(code) ") { tour.note(code) }
    }

    private func hand(
        _ request: JSONObject,
        of account: String,
        as productId: String
    ) async throws -> RunningStore.Answer {
        let now = try #require(try await tour.store.get("/_store/clock").json["now"].integerValue)
        let signer = StoreKitRequestSigner(key: tour.store.key, bundleId: RunningStore.bundleId)
        let signed = try signer.sign(AdvancedCommerceSignedRequest(request), nonce: .random(), at: now)
        return try await tour.store.post(
            "/_store/accounts/\(account)/advanced-commerce-purchases",
            ["productId": .string(productId), "request": .string(signed)]
        )
    }

    // MARK: - Calls of the developer's server

    /// Makes a call that succeeds.
    mutating func call(_ path: String, _ id: String, _ changes: Changes = [:]) async throws {
        let answer = try await tour.store.apple(.POST, "/advancedCommerce/v1/\(path)/\(id)", .object(body(changes)))
        #expect(answer.status == 200, "\(path): \(answer.text)")
    }

    /// Makes a call that is refused.
    mutating func fails(_ code: Int64, _ path: String, _ id: String, _ changes: Changes = [:]) async throws {
        try await tour.play(.fails(code, .POST, "/advancedCommerce/v1/\(path)/\(id)", .object(body(changes))))
    }

    private mutating func body(_ changes: Changes) -> JSONObject { changed(["requestInfo": requestInfo()], changes) }
}

private func changed(_ object: JSONObject, _ changes: AdvancedCommerceDeveloper.Changes) -> JSONObject {
    var object = object
    for (key, value) in changes { object[key] = value }
    return object
}
