import AppStoreClient
import AppStoreModel
import SubscriptionCore
import SubscriptionStorage

/// Orders at Apple that extend all subscribers of a product.
struct OrderCalls: Sendable {
    /// What Apple did with an order.
    enum Result: Sendable {
        case accepted
        /// Apple does not have it.
        case refused(OperationError)
        /// Apple was away or busy, or did not say whether it has it. The order may have reached it.
        case away(OperationError)
    }

    let access: AppStoreAccess

    /// Orders an extension. The same order again has no further effect.
    ///
    /// A refusal may be that of a repetition whose first attempt was accepted, so Apple is asked whether it has it.
    ///
    /// - Source: App Store Server API, Extend Subscription Renewal Dates for All Active Subscribers. Unverified: that a
    ///   repeated `requestIdentifier` has no further effect.
    func order(_ order: MassExtensionOrder, _ terms: ExtensionCampaign.Terms, app: AppID) async -> Result {
        let request = MassExtendRenewalDateRequest(
            requestIdentifier: order.requestID,
            extendByDays: Int32(terms.days),
            extendReasonCode: ExtendReasonCode(terms.reason),
            productId: order.productID.rawValue,
            storefrontCountryCodes: terms.storefronts
        )
        do throws(OperationError) {
            let api = try access.entry(of: app).api
            do throws(AppStoreClientError) {
                _ = try await api.extendRenewalDateForAllActiveSubscribers(request)
                return .accepted
            } catch {
                throw OperationError(error, parameter: "product_ids")
            }
        } catch {
            guard error.isAnswer else { return .away(error) }
            return await known(order, otherwise: .refused(error), app: app)
        }
    }

    /// Whether Apple has an order.
    ///
    /// - Parameter otherwise: The result if Apple does not have it.
    /// - Source: App Store Server API, Get Status of Subscription Renewal Date Extensions: StatusRequestNotFoundError,
    ///   InvalidProductIdError and InvalidRequestIdentifierError.
    func known(_ order: MassExtensionOrder, otherwise: Result, app: AppID) async -> Result {
        do throws(OperationError) {
            let api = try access.entry(of: app).api
            do throws(AppStoreClientError) {
                _ = try await Self.status(of: order, by: api)
                return .accepted
            } catch {
                let unknown = [
                    AppStoreServerAPIError.statusRequestNotFound, .invalidProductId, .invalidRequestIdentifier,
                ]
                if let code = error.apiError?.code, unknown.map(\.code).contains(code) { return otherwise }
                throw OperationError(error, parameter: "product_ids")
            }
        } catch {
            return .away(error)
        }
    }

    /// How far an order is.
    ///
    /// - Throws: ``OperationError``.
    func status(
        of order: MassExtensionOrder,
        app: AppID
    ) async throws(OperationError) -> MassExtendRenewalDateStatusResponse {
        let api = try access.entry(of: app).api
        do throws(AppStoreClientError) {
            return try await Self.status(of: order, by: api)
        } catch {
            throw OperationError(error, parameter: "product_ids")
        }
    }

    private static func status(
        of order: MassExtensionOrder,
        by api: AppStoreServerAPIClient.App
    ) async throws(AppStoreClientError) -> MassExtendRenewalDateStatusResponse {
        try await api.getStatusOfSubscriptionRenewalDateExtensions(
            productId: order.productID.rawValue,
            requestIdentifier: order.requestID
        ).value
    }
}
